import { Controller, Get, Param, Query } from '@nestjs/common';
import {
  auditLedger,
  getUsage,
  listLedger,
  type AuditReply,
  type LedgerEntryView,
  type Usage,
} from '@app/contracts';
import { ServiceClient, type RequestContext } from '@app/transport';
import { CallContext } from '../call-context.js';
import { namedPage, PageQuery } from '../validation/page.query.js';
import { accountId } from '../validation/resource-id.pipe.js';
import { UsageQuery } from './ledger.dto.js';
import { usageRange } from '../../reports/usage-range.js';

/** What happened to credits: entries, usage by day, and the audit of the whole ledger. */
@Controller()
export class LedgerController {
  constructor(private readonly services: ServiceClient) {}

  /** Newest first. */
  @Get('accounts/:account_id/ledger')
  async list(
    @Param('account_id', accountId) account: string,
    @Query() page: PageQuery,
    @CallContext() context: RequestContext,
  ): Promise<{ entries: LedgerEntryView[]; next_cursor: string | null }> {
    const request = { account_id: account, ...page };
    return namedPage('entries', await this.services.request(listLedger, request, context));
  }

  @Get('accounts/:account_id/usage')
  usage(
    @Param('account_id', accountId) account: string,
    @Query() { from, to }: UsageQuery,
    @CallContext() context: RequestContext,
  ): Promise<Usage> {
    const days = usageRange(from, to, new Date());
    return this.services.request(getUsage, { account_id: account, ...days }, context);
  }

  /** Always 200: `ok` says whether there are discrepancies. */
  @Get('ledger/audit')
  audit(@CallContext() context: RequestContext): Promise<AuditReply> {
    return this.services.request(auditLedger, {}, context);
  }
}
