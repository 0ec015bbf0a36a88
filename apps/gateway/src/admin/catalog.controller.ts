import {
  AccountQuery,
  type CreatorReport,
  FreshnessQuery,
  type FreshnessReport,
  getCreatorReport,
  getFreshness,
  RefreshQuery,
} from '#contracts';
import { ServiceClient } from '#transport';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { Call, CurrentCall } from '../requests/call.js';
import { Area } from './operators/roles.js';
import { RefreshListService } from './refresh-list.service.js';

/** The catalog as a whole. Apart from `/creators`, where every word may be a slug. */
@Area('creators')
@Controller('catalog')
export class CatalogController {
  constructor(
    private readonly services: ServiceClient,
    private readonly refreshList: RefreshListService,
  ) {}

  /** Everything held about whoever has an account. */
  @Get('report')
  report(@Query() account: AccountQuery, @CurrentCall() call: Call): Promise<CreatorReport> {
    return this.services.request(getCreatorReport, { ...account }, call);
  }

  @Get('freshness')
  freshness(@Query() query: FreshnessQuery, @CurrentCall() call: Call): Promise<FreshnessReport> {
    return this.services.request(getFreshness, { ...query }, call);
  }

  /** NDJSON in the format of an import. The first page is read before anything is sent, so that a failure is no truncated file. */
  @Get('refresh-list')
  async list(
    @Query() query: RefreshQuery,
    @CurrentCall() call: Call,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const lines = await this.refreshList.open(query, call);
    void reply.type('application/x-ndjson; charset=utf-8').send(Readable.from(lines));
  }
}
