import { getUsage, type UsageReply } from '@app/contracts';
import { Controller, Get, Req, UseGuards } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../../authentication/api-key.guard.js';
import { CurrentCall } from '../../http/calls/call-of-request.js';
import { type PublicCall } from '../../http/calls/public-call.js';
import { RateLimited, RateLimitGuard } from '../../rate-limit/rate-limit.guard.js';
import { Reports } from '../../reports/reports.js';
import { readUsageQuery } from './usage-query.js';

/** `GET /usage` (design 11): calls and credits of the account, by day, key and operation. Free. */
@Controller('usage')
@RateLimited('account')
@UseGuards(ApiKeyGuard, RateLimitGuard)
export class GetUsageController {
  constructor(private readonly reports: Reports) {}

  @Get()
  show(@CurrentCall() call: PublicCall, @Req() request: FastifyRequest): Promise<UsageReply> {
    const days = readUsageQuery(request.raw.url ?? '', new Date());
    return this.reports.ask(getUsage, { account_id: call.key.account_id, ...days }, () => call.context());
  }
}
