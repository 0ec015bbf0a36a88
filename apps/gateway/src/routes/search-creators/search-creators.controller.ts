import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../../authentication/api-key.guard.js';
import { MeteringService } from '../../charging/metering.service.js';
import { repeatableCall } from '../../charging/repeatable-call.js';
import { CreatorSearch } from '../../creators/creator-search.js';
import { CurrentCall } from '../../http/calls/call-of-request.js';
import { NextPageLinks } from '../../http/answers/next-page-links.js';
import { type PublicCall } from '../../http/calls/public-call.js';
import { RateLimited, RateLimitGuard } from '../../rate-limit/rate-limit.guard.js';
import { searchBody } from './search-body.js';
import { nextPageOf } from './search-cursor.js';
import { readSearchQuery } from './search-query.js';

/** `GET /search` (spec 4.1). */
@Controller('search')
@RateLimited('search')
@UseGuards(ApiKeyGuard, RateLimitGuard)
export class SearchCreatorsController {
  constructor(
    private readonly creators: CreatorSearch,
    private readonly metering: MeteringService,
    private readonly links: NextPageLinks,
  ) {}

  @Get()
  async search(
    @CurrentCall() call: PublicCall,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const search = readSearchQuery(request.raw.url ?? '');
    const repeatable = repeatableCall(request, call, 'search', search);
    const { page, metered } = await this.creators.find(call, search);
    await this.metering.respond(call, reply, { ...metered, ...repeatable }, (credits) => {
      const { next, unknown_filters: unknown } = page.value;
      if (unknown) void reply.header('x-filters-unknown', unknown.join(', '));
      if (next) void reply.header('link', this.links.to(request, nextPageOf(search, next)));
      return searchBody(page, credits);
    });
  }
}
