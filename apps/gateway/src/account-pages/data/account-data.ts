import {
  type BalanceReply,
  type CallView,
  getBalance,
  getUsage,
  type KeyView,
  listCalls,
  type ListCallsRequest,
  listKeys,
  listStatement,
  type ListStatementRequest,
  type Page,
  type StatementEntry,
  type UsageRow,
} from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Injectable } from '@nestjs/common';
import { Reports } from '../../reports/reports.js';
import { type Visit } from '../sessions/visit.js';

/** What a page asks about the calls of its account. */
export type WantedCalls = Omit<ListCallsRequest, 'account_id'>;

/** Which entries of its statement. */
export type WantedEntries = Omit<ListStatementRequest, 'account_id'>;

/** What billing knows about the account of a visit, and about no other. */
@Injectable()
export class AccountData {
  constructor(
    private readonly services: ServiceClient,
    private readonly reports: Reports,
  ) {}

  balance(visit: Visit): Promise<BalanceReply> {
    return this.services.request(getBalance, { account_id: visit.accountId }, visit.context());
  }

  async keys(visit: Visit): Promise<KeyView[]> {
    return (await this.services.request(listKeys, { account_id: visit.accountId }, visit.context())).keys;
  }

  calls(visit: Visit, wanted: WantedCalls, context = () => visit.context()): Promise<Page<CallView>> {
    return this.reports.ask(listCalls, { ...wanted, account_id: visit.accountId }, context);
  }

  /** Days as `YYYY-MM-DD` UTC, both inclusive. */
  async usage(visit: Visit, from: string, to: string): Promise<UsageRow[]> {
    const request = { account_id: visit.accountId, from, to };
    return (await this.reports.ask(getUsage, request, () => visit.context())).usage;
  }

  /** Newest first; a download takes its pages one after the other, for as long as it needs. */
  statement(visit: Visit, wanted: WantedEntries): Promise<Page<StatementEntry>> {
    const request = { ...wanted, account_id: visit.accountId };
    return this.reports.ask(listStatement, request, () => visit.contextOfLongWork());
  }
}
