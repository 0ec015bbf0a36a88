import { searchCreators, type SearchRequest, type SearchSummary, type WithBytes } from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Injectable } from '@nestjs/common';
import { filtersUsed, type Metered, priceSearch } from '../charging/price-search.js';
import { type Call } from '../requests/call.js';
import { UnpayableSearches } from './unpayable-searches.js';

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

  /** Throws `insufficient_credits` without a search when the account has used up what is run without credits. */
  async find(call: Call, search: SearchRequest): Promise<FoundCreators> {
    await this.unpayable.admit(call, priceSearch(search, 1));
    const page = await this.services.request(searchCreators, search, call);
    const { total } = page.value;
    const credits = priceSearch(search, total);
    return { page, metered: { operation: 'search', credits, filters: filtersUsed(search), total } };
  }
}
