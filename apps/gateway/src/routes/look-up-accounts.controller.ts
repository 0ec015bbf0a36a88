import { invalidRequest } from '#http';
import {
  lookUpAccountOperation,
  lookUpAccounts,
  lookUpAccountsOperation,
  type LookUpAnswer,
  type LookupReply,
  type LookUpsAnswer,
  ServiceError,
  AccountToFind,
  AccountsToFind,
} from '#contracts';
import { ServiceClient } from '#transport';
import { Body, Controller, Query } from '@nestjs/common';
import { type Call, CurrentCall } from '../requests/call.js';
import { Endpoint } from './endpoint.js';

/** Looks up creators by links and handles. */
@Controller()
export class LookUpAccountsController {
  constructor(private readonly services: ServiceClient) {}

  @Endpoint(lookUpAccountOperation)
  async lookUpOne(@CurrentCall() call: Call, @Query() account: AccountToFind): Promise<LookUpAnswer> {
    const { results } = await this.services.request(
      lookUpAccounts,
      { accounts: [account], ...call.creators },
      call,
    );
    const [result] = results;
    if (!result) throw new ServiceError('internal', 'A look-up gave no result.');
    if (result.details) throw invalidRequest(result.details);
    return { slug: result.slug };
  }

  /** An invalid link does not fail the others. */
  @Endpoint(lookUpAccountsOperation)
  async lookUpMany(@CurrentCall() call: Call, @Body() body: AccountsToFind): Promise<LookUpsAnswer> {
    return lookUpsAnswer(await this.services.request(lookUpAccounts, { ...body, ...call.creators }, call));
  }
}

export function lookUpsAnswer({ results }: LookupReply): LookUpsAnswer {
  return {
    results: results.map(({ slug, details }) =>
      details ? { slug, problem: Object.values(details).flat().join('; ') } : { slug },
    ),
  };
}
