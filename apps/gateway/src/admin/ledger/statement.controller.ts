import { Readable } from 'node:stream';
import { Controller, Get, Param, Res } from '@nestjs/common';
import { listLedger, type LedgerEntryView, type Page } from '@app/contracts';
import { ServiceClient, type RequestContext } from '@app/transport';
import { type FastifyReply } from 'fastify';
import { CallContext } from '../call-context.js';
import { accountId } from '../validation/resource-id.pipe.js';
import { statementCsv } from './statement-csv.js';

const pageSize = 200;

/** The whole statement of an account as a file, newest entry first. */
@Controller()
export class StatementController {
  constructor(private readonly services: ServiceClient) {}

  /** The first page is read before anything is sent, so that an unknown account gets a 404, not a truncated file. */
  @Get('accounts/:account_id/ledger.csv')
  async export(
    @Param('account_id', accountId) account: string,
    @CallContext() context: RequestContext,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const page = (cursor?: string): Promise<Page<LedgerEntryView>> => {
      const request = { account_id: account, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) };
      return this.services.request(listLedger, request, context);
    };
    const first = await page();
    void reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="ledger-${account}.csv"`)
      .send(Readable.from(statementCsv(first, page)));
  }
}
