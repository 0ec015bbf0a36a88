import {
  CreatorRecordsRequest,
  FreshnessQuery,
  type FreshnessReport,
  getFreshness,
  listCreatorRecords,
  listRefreshSlugs,
  type Page,
  RefreshSlugsRequest,
  type WithBytes,
} from '#contracts';
import { Controller, Module } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { DemandModule } from '../demand/demand.module.js';
import { FreshnessRepository } from './freshness.repository.js';
import { FreshnessService, FreshnessTask } from './freshness.service.js';
import { RefreshListService } from './refresh-list.service.js';

@Controller()
export class FreshnessController {
  constructor(
    private readonly freshness: FreshnessService,
    private readonly refreshList: RefreshListService,
  ) {}

  @MessagePattern(getFreshness.pattern)
  report(@Payload() query: FreshnessQuery): Promise<FreshnessReport> {
    return this.freshness.report(query);
  }

  @MessagePattern(listRefreshSlugs.pattern)
  slugs(@Payload() request: RefreshSlugsRequest): Promise<Page<string>> {
    return this.refreshList.slugs(request);
  }

  @MessagePattern(listCreatorRecords.pattern)
  records(@Payload() { slugs }: CreatorRecordsRequest): Promise<WithBytes<{ returned: number }>> {
    return this.refreshList.records(slugs);
  }
}

/** How old the data of creators is, and what to refresh first. */
@Module({
  imports: [DemandModule],
  controllers: [FreshnessController],
  providers: [FreshnessRepository, FreshnessService, FreshnessTask, RefreshListService],
})
export class FreshnessModule {}
