import { type BalanceReply, getBalance } from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Controller, Get, Req, UseGuards } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../../authentication/api-key.guard.js';
import { CurrentCall } from '../../http/calls/call-of-request.js';
import { type PublicCall } from '../../http/calls/public-call.js';
import { refuseParameters } from '../../http/requests/refuse-parameters.js';
import { RateLimited, RateLimitGuard } from '../../rate-limit/rate-limit.guard.js';

/** `GET /balance` (design 11): what the account can spend, and until when. Free. */
@Controller('balance')
@RateLimited('account')
@UseGuards(ApiKeyGuard, RateLimitGuard)
export class GetBalanceController {
  constructor(private readonly services: ServiceClient) {}

  @Get()
  show(@CurrentCall() call: PublicCall, @Req() request: FastifyRequest): Promise<BalanceReply> {
    refuseParameters(request);
    return this.services.request(getBalance, { account_id: call.key.account_id }, call.context());
  }
}
