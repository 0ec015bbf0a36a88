import { searchCreators, type SearchRequest, type SearchSummary, type WithBytes } from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Injectable } from '@nestjs/common';
import { type Metered } from '../charging/metering.service.js';
import { filtersUsed, priceSearch } from '../charging/price-search.js';
import { type PublicCall } from '../http/calls/public-call.js';

/** A page of creators, and what it costs. */
export interface FoundCreators {
  readonly page: WithBytes<SearchSummary>;
  readonly metered: Metered;
}

/** Searches for creators, not charged for yet. */
@Injectable()
export class CreatorSearch {
  constructor(private readonly services: ServiceClient) {}

  async find(call: PublicCall, search: SearchRequest): Promise<FoundCreators> {
    const page = await this.services.request(searchCreators, search, call.context());
    const { total } = page.value;
    const credits = priceSearch(search, total);
    return { page, metered: { operation: 'search', credits, filters: filtersUsed(search), total } };
  }
}
