import {
  type Credits,
  searchCreatorsOperation,
  SearchQuery,
  type SearchRequest,
  type SearchSummary,
  type WithBytes,
} from '#contracts';
import { Controller, Headers, Query, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { AnswerTags } from '../answers/answer-tags.js';
import { matchesEtag, revalidated } from '../answers/etag.js';
import { type Found } from '../charging/price-search.js';
import { CreatorSearch } from '../creators/creators.module.js';
import { identityOf, SearchCursors } from '../creators/search-cursors.js';
import { type Call, CurrentCall } from '../requests/call.js';
import { NextPageLinks, unknownFiltersHeader } from '../answers/next-page-links.js';
import { Endpoint } from './endpoint.js';

@Controller()
export class SearchCreatorsController {
  constructor(
    private readonly creators: CreatorSearch,
    private readonly cursors: SearchCursors,
    private readonly links: NextPageLinks,
    private readonly tags: AnswerTags,
  ) {}

  /** Free for a client that has this page already, which its tag says: `tagOf`. */
  @Endpoint(searchCreatorsOperation)
  async search(
    @CurrentCall() call: Call,
    @Query() query: SearchQuery,
    @Headers('if-none-match') condition: string | undefined,
    @Req() request: FastifyRequest,
  ): Promise<Found> {
    const { scope } = call;
    const search = this.cursors.read(scope, query);
    let etag: string | undefined;
    const tag = (page: Page): string => (etag ??= this.tagOf(search, page));
    const isKnown = (page: Page): boolean => matchesEtag(condition, tag(page));
    const found = await this.creators.find(call, search, condition === undefined ? undefined : isKnown);
    const { page, metered, isUnchanged } = found;
    const { next, unknown_filters: unknown, closest_values: closest = {} } = page.value;
    return {
      metered,
      parameters: search,
      headers: {
        etag: tag(page),
        'cache-control': revalidated,
        ...(unknown ? { 'x-filters-unknown': unknownFiltersHeader(unknown, closest) } : {}),
        ...(next ? { link: this.links.to(request, this.cursors.nextPageOf(scope, search, next)) } : {}),
      },
      body: (credits) => (isUnchanged ? null : searchBody(page, credits)),
    };
  }

  /**
   * The tag of what a page says, and of the search that it answers: with the tag of one creator, other filters would say for
   * nothing whether that creator passes them. Not of where the page begins, which may change while the page does not.
   */
  private tagOf(search: SearchRequest, { value, bytes }: Page): string {
    const { total, returned, next } = value;
    return this.tags.tagOf(JSON.stringify([...identityOf(search), total, returned, next !== null]), bytes);
  }
}

type Page = WithBytes<SearchSummary>;

/** The body of the answer, with the creators' bytes as the catalog sent them. */
function searchBody({ value, bytes }: Page, credits: Credits): Buffer {
  const head = JSON.stringify({ total: value.total, returned: value.returned, ...credits });
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},"creators":`), bytes, Buffer.from('}')]);
}
