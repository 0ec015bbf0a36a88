import { searchCreators, type SearchRequest, type SearchSummary, type WithBytes } from '#contracts';
import { ServiceClient } from '#transport';
import { Injectable } from '@nestjs/common';
import { filtersUsed, type Metered, priceSearch } from '../charging/price-search.js';
import { UnpayableSearches } from '../charging/unpayable-searches.js';
import { type Call } from '../requests/call.js';

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
    const isCounted = await this.unpayable.admit(call, highestPrice);
    const page = await this.services.request(searchCreators, search, call);
    const { total } = page.value;
    const credits = priceSearch(search, total);
    const metered = { operation: 'search', credits, filters: filtersUsed(search), total } as const;
    return { page, metered: isCounted ? metered : { ...metered, credits_if_matched: highestPrice } };
  }
}
