import { type AuthenticatedKey, getBalance, unpayableSearchLimit } from '@app/contracts';
import { type RequestContext, ServiceClient } from '@app/transport';
import { Inject, Injectable } from '@nestjs/common';
import { AccountLinks } from '../account-pages/paths/account-links.js';
import { InsufficientCreditsError } from '../errors/gateway-errors.js';
import { RateLimiter } from '../rate-limit/rate-limiter.js';

/** The part of a call that is needed here. */
interface SearchCall extends RequestContext {
  readonly key: Pick<AuthenticatedKey, 'account_id' | 'credits_remaining'>;
}

/**
 * Searches of accounts whose balance is below the price of the search if a creator matches. Such a search is free without a
 * match and a 402 with one, so each answers a yes-or-no question for nothing: an account has the first 20 in an
 * hour, then none is run until it has credits. An account that can pay is not counted and waits for nothing.
 */
@Injectable()
export class UnpayableSearches {
  constructor(
    private readonly limiter: RateLimiter,
    @Inject(ServiceClient) private readonly services: Pick<ServiceClient, 'request'>,
    private readonly links: AccountLinks,
  ) {}

  /** Throws `insufficient_credits` for a search that must not be run. `highestPrice`: what it costs if a creator matches. */
  async admit(call: SearchCall, highestPrice: number): Promise<void> {
    const { account_id, credits_remaining: known = Infinity } = call.key;
    if (known >= highestPrice) return;
    const { admitted } = await this.limiter.admit('unpayable', account_id, unpayableSearchLimit);
    if (admitted) return;
    // What is known is up to a second old, and a pack may just have been bought.
    const balance = await this.balanceOf(call);
    if (balance >= highestPrice) return;
    const whatCosts = 'This search was not run, because it can cost';
    throw new InsufficientCreditsError(highestPrice, balance, this.links.buy, whatCosts);
  }

  protected async balanceOf(call: SearchCall): Promise<number> {
    const { account_id } = call.key;
    const reply = await this.services.request(getBalance, { account_id }, call);
    return reply.credits_remaining;
  }
}
