import { ServiceError } from '@app/contracts';
import { counted } from '../text/counted.js';

declare module 'fastify' {
  interface FastifyReply {
    /** Refused before any work was done: counted, not logged. */
    isRefusal: boolean;
  }
}

/**
 * A call refused before any work is done for it. There may be thousands a second, so each kind is one shared instance,
 * counted and not logged.
 */
export class RefusedError extends ServiceError {}

/** Too many calls wait for their turn. */
export const busy = new RefusedError('unavailable', 'The service is busy; try again shortly.');

/** The client has disconnected and will not read this. */
export const clientGone = new RefusedError('unavailable', 'The connection was closed before the answer.');

/** A call that can't be paid: nothing was taken. */
export class UnpaidCallError extends ServiceError {
  constructor(
    sentence: string,
    readonly creditsNeeded: number,
    /** The balance. */
    readonly creditsRemaining: number,
  ) {
    super('insufficient_credits', sentence);
  }
}

/** The balance is lower than the price. */
export class InsufficientCreditsError extends UnpaidCallError {
  constructor(
    creditsNeeded: number,
    creditsRemaining: number,
    /** Where credits are bought. */
    buyUrl?: string,
    whatCosts = 'This call costs',
  ) {
    const price = counted(creditsNeeded, 'credit');
    const balance = counted(creditsRemaining, 'is left', 'are left');
    const where = buyUrl === undefined ? '' : ` at ${buyUrl}`;
    const sentence = `${whatCosts} ${price} and ${balance}; buy a pack${where} to continue.`;
    super(sentence, creditsNeeded, creditsRemaining);
  }
}

/** The price is higher than what the key may still spend in this month. */
export class KeyLimitError extends UnpaidCallError {
  /** `resetsAt`: ISO 8601 UTC. */
  constructor(creditsNeeded: number, creditsRemaining: number, resetsAt: string, keysUrl?: string) {
    const price = counted(creditsNeeded, 'credit');
    const where = keysUrl === undefined ? '' : ` at ${keysUrl}`;
    const sentence =
      `This call costs ${price}, more than is left of the monthly limit of this API key. The limit starts anew on ` +
      `${resetsAt.slice(0, 10)} at 00:00 UTC; members of the account can raise it${where}.`;
    super(sentence, creditsNeeded, creditsRemaining);
  }
}
