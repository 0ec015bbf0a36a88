import { type LookupRequest, type LookupResult, lookUpAccounts, ServiceError } from '@app/contracts';
import { ServiceClient } from '@app/transport';
import { Controller, Get, HttpCode, Post, Req, UseGuards } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { ApiKeyGuard } from '../../authentication/api-key.guard.js';
import { CurrentCall } from '../../http/calls/call-of-request.js';
import { invalidQuery } from '../../http/requests/invalid-query.js';
import { readJsonObject } from '../../http/requests/json-body.js';
import { type PublicCall } from '../../http/calls/public-call.js';
import { refuseParameters } from '../../http/requests/refuse-parameters.js';
import { RateLimited, RateLimitGuard } from '../../rate-limit/rate-limit.guard.js';
import { type FoundCreator, foundCreator } from './found-creator.js';
import { readLookUpBody } from './look-up-body.js';
import { readLookUpQuery } from './look-up-query.js';

/** `GET` and `POST /lookup` (design 11): from links and handles to creators. Free. */
@Controller('lookup')
@RateLimited('lookup')
@UseGuards(ApiKeyGuard, RateLimitGuard)
export class LookUpAccountsController {
  constructor(private readonly services: ServiceClient) {}

  @Get()
  async lookUpOne(
    @CurrentCall() call: PublicCall,
    @Req() request: FastifyRequest,
  ): Promise<{ slug: string | null }> {
    const account = readLookUpQuery(request.raw.url ?? '');
    const [result] = await this.lookUp({ accounts: [account] }, call);
    if (!result) throw new ServiceError('internal', 'A look-up gave no result.');
    if (result.details) throw invalidQuery(result.details);
    return { slug: result.slug };
  }

  /** One link that names no account does not cost the caller the others. */
  @Post()
  @HttpCode(200)
  async lookUpMany(
    @CurrentCall() call: PublicCall,
    @Req() request: FastifyRequest,
  ): Promise<{ results: FoundCreator[] }> {
    refuseParameters(request);
    const results = await this.lookUp(readLookUpBody(readJsonObject(request)), call);
    return { results: results.map(foundCreator) };
  }

  private async lookUp(accounts: LookupRequest, call: PublicCall): Promise<readonly LookupResult[]> {
    const { results } = await this.services.request(lookUpAccounts, accounts, call.context());
    return results;
  }
}
