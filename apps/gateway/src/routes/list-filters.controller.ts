import { listFilters, listFiltersOperation } from '#contracts';
import { ServiceClient } from '#transport';
import { Controller, Headers, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { type Call, CurrentCall } from '../requests/call.js';
import { etagOf, matchesEtag, revalidated } from '../answers/etag.js';
import { Endpoint } from './endpoint.js';

@Controller()
export class ListFiltersController {
  constructor(private readonly services: ServiceClient) {}

  @Endpoint(listFiltersOperation)
  async list(
    @CurrentCall() call: Call,
    @Headers('if-none-match') condition: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const body = Buffer.from(JSON.stringify(await this.services.request(listFilters, call.creators, call)));
    const etag = etagOf(body);
    void reply.headers({ etag, 'cache-control': revalidated });
    if (matchesEtag(condition, etag)) void reply.code(304).send();
    else void reply.type('application/json; charset=utf-8').send(body);
  }
}
