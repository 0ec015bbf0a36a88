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
    const { total, returned, next, creators } = await this.engine.search(toCriteria(request));
    return new WithBytes({ total, returned, next }, creators);
  }
}
