import { Reports, usageRange } from '#http';
import {
  type Balance,
  type Calls,
  CallsQuery,
  DaysQuery,
  getBalanceOperation,
  getCallsOperation,
  getUsage,
  getUsageOperation,
  isText,
  listCalls,
  listCallsOperation,
  type ListCallsRequest,
  PageQuery,
  type Usage,
} from '#contracts';
import { Balances } from '../charging/charging.module.js';
import { Controller, Param, Query, Res } from '@nestjs/common';
import { type Call, CurrentCall } from '../requests/call.js';
import { Endpoint } from './endpoint.js';
import { type FastifyReply } from 'fastify';
import { NextPageLinks } from '../answers/next-page-links.js';

/** `request_id` of a message, and more than the id of any request that was let in. */
const requestIdLengthMax = 200;

/** What an account has and has used: balance, usage, calls. Calls of test keys are stored nowhere. */
@Controller()
export class AccountController {
  constructor(
    private readonly balances: Balances,
    private readonly reports: Reports,
    private readonly links: NextPageLinks,
  ) {}

  @Endpoint(getBalanceOperation)
  showBalance(@CurrentCall() call: Call): Promise<Balance> {
    return this.balances.of(call);
  }

  @Endpoint(getUsageOperation)
  showUsage(@CurrentCall() call: Call, @Query() { from, to }: DaysQuery): Promise<Usage> {
    const days = usageRange(from, to, new Date());
    if (call.isTest) return Promise.resolve({ ...days, usage: [] });
    return this.reports.ask(getUsage, { account_id: call.key.account_id, ...days }, call);
  }

  /** The calls of the last 30 days, unless the query says otherwise. */
  @Endpoint(listCallsOperation)
  listCalls(
    @CurrentCall() call: Call,
    @Query() query: CallsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Calls> {
    const days = usageRange(query.from, query.to, new Date());
    return this.page(call, reply, { ...days, ...query });
  }

  /** All calls with this label, whenever they were made: none means that nothing was taken. */
  @Endpoint(getCallsOperation)
  listCallsOf(
    @CurrentCall() call: Call,
    @Param('request_id') requestId: string,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Calls> | Calls {
    if (!isText(requestId, requestIdLengthMax)) return { calls: [] };
    return this.page(call, reply, { ...query }, requestId);
  }

  private async page(
    call: Call,
    reply: FastifyReply,
    query: Omit<ListCallsRequest, 'account_id' | 'request_id'>,
    requestId?: string,
  ): Promise<Calls> {
    if (call.isTest) return { calls: [] };
    const wanted = requestId === undefined ? query : { ...query, request_id: requestId };
    const page = await this.reports.ask(listCalls, { ...wanted, account_id: call.key.account_id }, call);
    if (page.next_cursor !== null) {
      void reply.header('link', this.links.to(reply.request, { ...query, cursor: page.next_cursor }));
    }
    return { calls: page.items };
  }
}
