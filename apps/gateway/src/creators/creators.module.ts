import { Module, Injectable } from '@nestjs/common';
import { ChargingModule } from '../charging/charging.module.js';
import { isSlug, ManyProfiles } from './many-profiles.js';
import { AnswerTags } from '../answers/answer-tags.js';
import { SearchCursors } from './search-cursors.js';
import {
  searchCreators,
  type SearchRequest,
  type SearchSummary,
  type WithBytes,
  getProfile,
  ServiceError,
} from '#contracts';
import { ServiceClient } from '#transport';
import { filtersUsed, type Metered, priceSearch, profilePrice } from '../charging/price-search.js';
import { simulate } from '../charging/simulate.js';
import { UnpayableSearches } from '../charging/unpayable-searches.js';
import { type Call } from '../requests/call.js';

/** A profile as JSON, and what it costs. */
export interface FoundProfile {
  readonly json: Buffer;
  readonly metered: Metered;
}

/** Reads profiles of published creators, not charged for yet. */
@Injectable()
export class CreatorProfiles {
  constructor(private readonly services: ServiceClient) {}

  /** `latest`: not as it was within the last second. Throws `not_found`, for a string that can't be a slug too. */
  async find(call: Call, slug: string, { latest = false } = {}): Promise<FoundProfile> {
    if (!isSlug(slug)) throw noSuchCreator();
    simulate(call, slug, profilePrice);
    const request = { slug, ...(latest && { latest }), ...call.creators };
    const profile = await this.services.request(getProfile, request, call);
    if (!profile.value.found) throw noSuchCreator();
    return { json: profile.bytes, metered: { operation: 'profile', credits: profilePrice } };
  }
}

function noSuchCreator(): ServiceError {
  return new ServiceError('not_found', 'No published creator has this slug.');
}

/** A page of creators, and what it costs. */
export interface FoundCreators {
  readonly page: WithBytes<SearchSummary>;
  readonly metered: Metered;
  /** The caller has this page already. */
  readonly isUnchanged: boolean;
}

/** Searches for creators, not charged for yet. */
@Injectable()
export class CreatorSearch {
  constructor(
    private readonly services: ServiceClient,
    private readonly unpayable: UnpayableSearches,
  ) {}

  /**
   * Throws when the search can't be paid and the account has used up what is run without credits: without a search, except for
   * a caller who may have the page already. `isKnown` decides that. A known page with creators was paid for once, and is free
   * whatever the balance; that none matches is free for everyone, and so counts as a question.
   */
  async find(
    call: Call,
    search: SearchRequest,
    isKnown?: (page: WithBytes<SearchSummary>) => boolean,
  ): Promise<FoundCreators> {
    const highestPrice = priceSearch(search, 1);
    simulate(call, search.q, highestPrice);
    const countedBefore = isKnown ? undefined : await this.unpayable.admit(call, highestPrice);
    const page = await this.services.request(searchCreators, { ...search, ...call.creators }, call);
    const { total } = page.value;
    const isUnchanged = isKnown?.(page) ?? false;
    const credits = isUnchanged ? 0 : priceSearch(search, total);
    const metered = { operation: 'search', credits, filters: filtersUsed(search), total } as const;
    if (isUnchanged && total > 0) return { page, metered, isUnchanged };
    const isCounted = countedBefore ?? (await this.unpayable.admit(call, highestPrice));
    const decided = isCounted ? metered : { ...metered, credits_if_matched: highestPrice };
    return { page, metered: decided, isUnchanged };
  }
}

/** Reads creators for the paid operations, with the price of each answer. */
@Module({
  imports: [ChargingModule],
  providers: [CreatorProfiles, CreatorSearch, ManyProfiles, AnswerTags, SearchCursors],
  exports: [CreatorProfiles, CreatorSearch, ManyProfiles, AnswerTags, SearchCursors],
})
export class CreatorsModule {}
