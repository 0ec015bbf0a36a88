import { searchCreators, SearchRequest, type SearchSummary, WithBytes } from '@app/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { BackgroundWork } from '../threads/background-work.js';
import { SearchEngine } from './engine/search-engine.js';
import { toCriteria } from './to-criteria.js';

@Controller()
export class SearchController {
  constructor(
    private readonly engine: SearchEngine,
    private readonly background: BackgroundWork,
  ) {}

  @MessagePattern(searchCreators.pattern)
  async search(@Payload() request: SearchRequest): Promise<WithBytes<SearchSummary>> {
    this.background.noteCall();
    const criteria = toCriteria(request);
    const { total, returned, next, creators } = await this.engine.search(criteria);
    // A value that does not exist matches no creator, so a search with a match has none.
    const unknown = total > 0 ? [] : await this.engine.unknownFilters(criteria);
    const hint = unknown.length > 0 ? { unknown_filters: unknown } : {};
    return new WithBytes({ total, returned, next, ...hint }, creators);
  }
}
