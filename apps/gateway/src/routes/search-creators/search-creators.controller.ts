import { searchCreators } from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../../authentication/api-key.guard.js';
import { MeteringService } from '../../charging/metering.service.js';
import { priceSearch } from '../../charging/price-search.js';
import { CurrentCall } from '../../http/call-of-request.js';
import { type PublicCall } from '../../http/public-call.js';
import { RateLimited, RateLimitGuard } from '../../rate-limit/rate-limit.guard.js';
import { nextPageLink } from './next-page-link.js';
import { searchBody } from './search-body.js';
import { readSearchQuery } from './search-query.js';

/** `GET /search` (spec 4.1). */
@Controller('search')
@RateLimited('search')
@UseGuards(ApiKeyGuard, RateLimitGuard)
export class SearchCreatorsController {
  constructor(
    private readonly services: ServiceClient,
    private readonly metering: MeteringService,
  ) {}

  @Get()
  async search(
    @CurrentCall() call: PublicCall,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const search = readSearchQuery(request.raw.url ?? '');
    const found = await this.services.request(searchCreators, search, call.context());
    const credits = priceSearch(search, found.value.total);
    await this.metering.respond(call, reply, { operation: 'search', credits }, (charged) => {
      const { next } = found.value;
      if (next) void reply.header('link', nextPageLink(request, search, next));
      return searchBody(found, charged);
    });
  }
}
