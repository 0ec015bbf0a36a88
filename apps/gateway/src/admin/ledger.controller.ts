import { csvPages, usageRange } from '#http';
import {
  auditLedger,
  type AuditReply,
  DaysQuery,
  getUsage,
  type StatementEntry,
  type StatementPage,
  listStatement,
  type Page,
  PageRequest,
  type Usage,
  AccountPath,
} from '#contracts';
import { ServiceClient } from '#transport';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { Call, CurrentCall } from '../requests/call.js';
import { Area } from './operators/roles.js';
import { Path } from './parameters.js';

const exportPageSize = 200;
const exportedFields = [
  'id',
  'at',
  'type',
  'credits',
  'lot_id',
  'charge_id',
  'request_id',
  'operation',
  'key_id',
  'state',
  'reference',
  'reason',
  'balance_after',
  'pack',
] as const satisfies readonly (keyof StatementEntry)[];

/** What happened to credits: entries, also as a file, usage by day, and audits of the ledger. */
@Area('accounts')
@Controller()
export class LedgerController {
  constructor(private readonly services: ServiceClient) {}

  /** Newest first. */
  @Get('accounts/:account_id/ledger')
  async list(
    @Path() account: AccountPath,
    @Query() page: PageRequest,
    @CurrentCall() call: Call,
  ): Promise<Omit<StatementPage, 'items'> & { entries: StatementEntry[] }> {
    const { items, ...rest } = await this.services.request(listStatement, { ...account, ...page }, call);
    return { entries: items, ...rest };
  }

  /**
   * All entries as CSV, newest first. The first page is read before anything is sent, so that an unknown account gets a 404, not a
   * truncated file.
   */
  @Get('accounts/:account_id/ledger.csv')
  async export(
    @Path() { account_id }: AccountPath,
    @CurrentCall() call: Call,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const read = (cursor?: string): Promise<Page<StatementEntry>> =>
      this.services.request(
        listStatement,
        { account_id, limit: exportPageSize, ...(cursor !== undefined && { cursor }) },
        call,
      );
    const lines = await csvPages(exportedFields, (entry) => entry, read);
    void reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="ledger-${account_id}.csv"`)
      .send(Readable.from(lines));
  }

  @Get('accounts/:account_id/usage')
  usage(
    @Path() account: AccountPath,
    @Query() { from, to }: DaysQuery,
    @CurrentCall() call: Call,
  ): Promise<Usage> {
    const days = usageRange(from, to, new Date());
    return this.services.request(getUsage, { ...account, ...days }, call);
  }

  /** Always 200: `ok` says whether there are discrepancies. */
  @Get('ledger/audit')
  audit(@CurrentCall() call: Call): Promise<AuditReply> {
    return this.services.request(auditLedger, {}, call);
  }
}
