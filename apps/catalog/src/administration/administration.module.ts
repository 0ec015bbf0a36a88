import { type AdminLogEntry, ListAdminLogRequest, listCatalogLog } from '#contracts';
import { AdminLogRepository, TransactionRunner } from '#platform/database';
import { Controller, Module } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';

@Controller()
export class AdministrationController {
  constructor(
    private readonly database: TransactionRunner,
    private readonly log: AdminLogRepository,
  ) {}

  @MessagePattern(listCatalogLog.pattern)
  async entries(@Payload() request: ListAdminLogRequest): Promise<{ entries: AdminLogEntry[] }> {
    return { entries: await this.log.page(this.database, request) };
  }
}

/** What operators changed in the catalog. */
@Module({
  controllers: [AdministrationController],
  providers: [AdminLogRepository],
  exports: [AdminLogRepository],
})
export class AdministrationModule {}
