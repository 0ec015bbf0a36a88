import { type CreatorReport, CreatorReportRequest, getCreatorReport } from '#contracts';
import { Controller, Module } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { CreatorsModule } from '../creators/creators.module.js';
import { DemandModule } from '../demand/demand.module.js';
import { RemovalsModule } from '../removals/removals.module.js';
import { CreatorReportService } from './creator-report.service.js';

@Controller()
export class ReportsController {
  constructor(private readonly reports: CreatorReportService) {}

  @MessagePattern(getCreatorReport.pattern)
  report(@Payload() request: CreatorReportRequest): Promise<CreatorReport> {
    return this.reports.report(request);
  }
}

/** What is held about one creator. */
@Module({
  imports: [CreatorsModule, DemandModule, RemovalsModule],
  controllers: [ReportsController],
  providers: [CreatorReportService],
})
export class ReportsModule {}
