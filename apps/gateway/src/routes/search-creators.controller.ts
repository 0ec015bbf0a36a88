import {
  type Credits,
  searchCreatorsOperation,
  SearchQuery,
  type SearchSummary,
  type WithBytes,
} from '#contracts';
import { Controller, Query, Req } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type Found } from '../charging/price-search.js';
import { CreatorSearch } from '../creators/creators.module.js';
import { SearchCursors } from '../creators/search-cursors.js';
import { type Call, CurrentCall } from '../requests/call.js';
import { NextPageLinks, unknownFiltersHeader } from '../answers/next-page-links.js';
import { Endpoint } from './endpoint.js';

@Controller()
export class SearchCreatorsController {
  constructor(
    private readonly creators: CreatorSearch,
    private readonly cursors: SearchCursors,
    private readonly links: NextPageLinks,
  ) {}

  @Endpoint(searchCreatorsOperation)
  async search(
    @CurrentCall() call: Call,
    @Query() query: SearchQuery,
    @Req() request: FastifyRequest,
  ): Promise<Found> {
    const { scope } = call;
    const search = this.cursors.read(scope, query);
    const { page, metered } = await this.creators.find(call, search);
    const { next, unknown_filters: unknown, closest_values: closest = {} } = page.value;
    return {
      metered,
      parameters: search,
      headers: {
        ...(unknown ? { 'x-filters-unknown': unknownFiltersHeader(unknown, closest) } : {}),
        ...(next ? { link: this.links.to(request, this.cursors.nextPageOf(scope, search, next)) } : {}),
      },
      body: (credits) => searchBody(page, credits),
    };
  }
}

/** The body of the answer, with the creators' bytes as the catalog sent them. */
function searchBody({ value, bytes }: WithBytes<SearchSummary>, credits: Credits): Buffer {
  const head = JSON.stringify({ total: value.total, returned: value.returned, ...credits });
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},"creators":`), bytes, Buffer.from('}')]);
}
