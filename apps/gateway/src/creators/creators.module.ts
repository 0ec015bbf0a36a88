import { Module, Injectable } from '@nestjs/common';
import { ChargingModule } from '../charging/charging.module.js';
import { isSlug, ManyProfiles } from './many-profiles.js';
import { ProfileTags } from './profile-tags.js';
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
}

/** Searches for creators, not charged for yet. */
@Injectable()
export class CreatorSearch {
  constructor(
    private readonly services: ServiceClient,
    private readonly unpayable: UnpayableSearches,
  ) {}

  /** Throws without a search when it can't be paid and the account has used up what is run without credits. */
  async find(call: Call, search: SearchRequest): Promise<FoundCreators> {
    const highestPrice = priceSearch(search, 1);
    simulate(call, search.q, highestPrice);
    const isCounted = await this.unpayable.admit(call, highestPrice);
    const page = await this.services.request(searchCreators, { ...search, ...call.creators }, call);
    const { total } = page.value;
    const credits = priceSearch(search, total);
    const metered = { operation: 'search', credits, filters: filtersUsed(search), total } as const;
    return { page, metered: isCounted ? metered : { ...metered, credits_if_matched: highestPrice } };
  }
}

/** What the paid operations ask the catalog, with the price of the answer. */
@Module({
  imports: [ChargingModule],
  providers: [CreatorProfiles, CreatorSearch, ManyProfiles, ProfileTags, SearchCursors],
  exports: [CreatorProfiles, CreatorSearch, ManyProfiles, ProfileTags, SearchCursors],
})
export class CreatorsModule {}
