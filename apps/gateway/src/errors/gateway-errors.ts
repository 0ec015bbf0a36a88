import { type KeyLimit, ServiceError } from '#contracts';
import { RefusedError } from '#http';
import { counted } from '../text/counted.js';

declare module 'fastify' {
  interface FastifyReply {
    /** Refused before any work was done: counted, not logged. */
    isRefusal: boolean;
  }
}

/** The client has disconnected and will not read this. */
export const clientGone = new RefusedError('unavailable', 'The connection was closed before the answer.');

/** The balance is lower than the price: nothing was taken. */
export class InsufficientCreditsError extends ServiceError {
  constructor(
    readonly creditsNeeded: number,
    /** The balance. */
    readonly creditsRemaining: number,
    /** Where credits are bought. */
    buyUrl?: string,
    whatCosts = thisCallCosts,
  ) {
    const price = counted(creditsNeeded, 'credit');
    const balance = counted(creditsRemaining, 'is left', 'are left');
    const where = buyUrl === undefined ? '' : ` at ${buyUrl}`;
    super('insufficient_credits', `${whatCosts} ${price} and ${balance}; buy a pack${where} to continue.`);
  }
}

/** The balance is sufficient, but the price exceeds what the key may still spend this month: nothing was taken. */
export class KeyLimitError extends ServiceError {
  constructor(
    creditsNeeded: number,
    readonly keyLimit: KeyLimit,
    keysUrl?: string,
    whatCosts = thisCallCosts,
  ) {
    const price = counted(creditsNeeded, 'credit');
    const where = keysUrl === undefined ? '' : ` at ${keysUrl}`;
    const sentence =
      `${whatCosts} ${price}, more than is left of the monthly limit of this API key. The limit resets on ` +
      `${keyLimit.resets_at.slice(0, 10)} at 00:00 UTC; members of the account can raise it${where}.`;
    super('key_limit_reached', sentence);
  }
}

const thisCallCosts = 'This call costs';
