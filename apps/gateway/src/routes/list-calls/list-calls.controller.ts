import { type CallView, isText, listCalls } from '@app/contracts';
import { Controller, Get, Param, Req, Res, UseGuards } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../../authentication/api-key.guard.js';
import { CurrentCall } from '../../http/calls/call-of-request.js';
import { NextPageLinks } from '../../http/answers/next-page-links.js';
import { type PublicCall } from '../../http/calls/public-call.js';
import { RateLimited, RateLimitGuard } from '../../rate-limit/rate-limit.guard.js';
import { Reports } from '../../reports/reports.js';
import { type CallsQuery, readCallsQuery, readPageQuery } from './calls-query.js';

interface CallsBody {
  readonly calls: readonly CallView[];
}

/** `request_id` of a message, and more than the id of any request that was let in. */
const requestIdLengthMax = 200;

/** `GET /calls` and `GET /calls/{request_id}` (design 11): what the account's calls cost and why. Free. */
@Controller('calls')
@RateLimited('account')
@UseGuards(ApiKeyGuard, RateLimitGuard)
export class ListCallsController {
  constructor(
    private readonly reports: Reports,
    private readonly links: NextPageLinks,
  ) {}

  @Get()
  list(
    @CurrentCall() call: PublicCall,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CallsBody> {
    return this.page(call, reply, readCallsQuery(request.raw.url ?? '', new Date()));
  }

  /** All calls with this label, whenever they were made: none means that nothing was taken. */
  @Get(':request_id')
  listOne(
    @CurrentCall() call: PublicCall,
    @Param('request_id') requestId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CallsBody> | CallsBody {
    const page = readPageQuery(request.raw.url ?? '');
    if (!isText(requestId, requestIdLengthMax)) return { calls: [] };
    return this.page(call, reply, page, requestId);
  }

  private async page(
    call: PublicCall,
    reply: FastifyReply,
    query: CallsQuery,
    requestId?: string,
  ): Promise<CallsBody> {
    const wanted = { ...query, ...(requestId === undefined ? {} : { request_id: requestId }) };
    const { account_id } = call.key;
    const page = await this.reports.ask(listCalls, { ...wanted, account_id }, () => call.context());
    if (page.next_cursor !== null) {
      void reply.header('link', this.links.to(reply.request, { ...query, cursor: page.next_cursor }));
    }
    return { calls: page.items };
  }
}
