import { listFilters } from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../../authentication/api-key.guard.js';
import { CurrentCall } from '../../http/calls/call-of-request.js';
import { etagOf, matchesEtag, revalidated } from '../../http/answers/etag.js';
import { type PublicCall } from '../../http/calls/public-call.js';
import { refuseParameters } from '../../http/requests/refuse-parameters.js';
import { RateLimited, RateLimitGuard } from '../../rate-limit/rate-limit.guard.js';

/** `GET /filters` (design 11): the values that the filters of a search take. Free; 304 for who has them already. */
@Controller('filters')
@RateLimited('account')
@UseGuards(ApiKeyGuard, RateLimitGuard)
export class ListFiltersController {
  constructor(private readonly services: ServiceClient) {}

  @Get()
  async list(
    @CurrentCall() call: PublicCall,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    refuseParameters(request);
    const filters = await this.services.request(listFilters, {}, call.context());
    const body = Buffer.from(JSON.stringify(filters));
    const etag = etagOf(body);
    void reply.headers({ etag, 'cache-control': revalidated });
    if (matchesEtag(request.headers['if-none-match'], etag)) {
      void reply.code(304).send();
    } else {
      void reply.type('application/json; charset=utf-8').send(body);
    }
  }
}
