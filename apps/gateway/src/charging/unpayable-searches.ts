import { RateLimiter } from '#http';
import { leftOfKeyLimit, type Spendable } from '#contracts';
import { Injectable } from '@nestjs/common';
import { AccountLinks } from '../errors/account-links.js';
import { Authenticator } from '../authentication/authenticator.service.js';
import { KeyCache } from '../authentication/key-cache.js';
import { InsufficientCreditsError, KeyLimitError } from '../errors/gateway-errors.js';
import { limits } from '../limits.js';
import { type Call } from '../requests/call.js';

/**
 * Searches that cost more than their account, or their key in this month, can pay if a creator matches. Such a search is free
 * without a match and an error with one, so each answers a yes-or-no question for nothing: an account has the first 20 in an hour
 * over all its keys, then none is run until it can pay. Before a search only figures of billing that are younger than a second
 * count; its charge decides for certain (`credits_if_matched`). A call that can pay is not counted and waits for nothing.
 */
@Injectable()
export class UnpayableSearches {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly keys: KeyCache,
    private readonly authenticator: Authenticator,
    private readonly links: AccountLinks,
  ) {}

  /**
   * Whether a search was counted as one of the 20; `false`: as far as is known it can be paid, and its charge decides. Throws for
   * one that must not be run. `highestPrice`: what it costs if a creator matches.
   */
  async admit(call: Call, highestPrice: number): Promise<boolean> {
    const known = this.keys.spendable(call.presentedKey.hash);
    if (known === undefined || canPay(known, highestPrice)) return false;
    if (!known.isFresh && canPay(await this.authenticator.lookUpAgain(call), highestPrice)) return false;
    if (await this.count(call)) return true;
    // What is known is up to a second old, and a pack may just have been bought.
    const now = await this.authenticator.lookUpAgain(call);
    if (canPay(now, highestPrice)) return false;
    throw this.refusal(now, highestPrice);
  }

  /** Counts a search that was run and can't be paid; `false`: the account has had its 20, and must not get an answer. */
  async count({ key }: Call): Promise<boolean> {
    const { admitted } = await this.limiter.admit('unpayable', key.account_id, limits.unpayableSearches);
    return admitted;
  }

  /** Refuses a search in words that don't tell whether creators match. */
  refusal({ credits_remaining, key_limit }: Spendable, highestPrice: number): Error {
    const whatCosts = 'This search was not run, because it can cost';
    if (key_limit && credits_remaining >= highestPrice) {
      return new KeyLimitError(highestPrice, key_limit, this.links.keys, whatCosts);
    }
    return new InsufficientCreditsError(highestPrice, credits_remaining, this.links.buy, whatCosts);
  }
}

/** The lesser of the balance and of what is left of the key's limit decides. */
function canPay({ credits_remaining, key_limit }: Spendable, price: number): boolean {
  return Math.min(credits_remaining, leftOfKeyLimit(key_limit)) >= price;
}
