import { type AdminLogPage, AdminLogQuery, listBillingLog, listCatalogLog } from '#contracts';
import { ServiceClient } from '#transport';
import { Controller, Get, Query } from '@nestjs/common';
import { Call, CurrentCall } from '../../requests/call.js';
import { Area } from './roles.js';

/** What operators have changed. Each service keeps the entries of its own changes; here they are one list. */
@Area('log')
@Controller('log')
export class AdminLogController {
  constructor(private readonly services: ServiceClient) {}

  /** Newest first. */
  @Get()
  async list(@Query() query: AdminLogQuery, @CurrentCall() call: Call): Promise<AdminLogPage> {
    const request = { ...query, limit: query.limit + 1 };
    const logs = await Promise.all(
      [listBillingLog, listCatalogLog].map((contract) => this.services.request(contract, request, call)),
    );
    const newest = logs.flatMap(({ entries }) => entries).sort((one, other) => (one.id < other.id ? 1 : -1));
    const entries = newest.slice(0, query.limit);
    return { entries, next_cursor: newest.length > query.limit ? (entries.at(-1)?.id ?? null) : null };
  }
}
