import { ServiceError } from '@app/contracts';
import { counted } from '../text/counted.js';

/** The balance is lower than the price: nothing was taken. */
export class InsufficientCreditsError extends ServiceError {
  constructor(
    readonly creditsNeeded: number,
    readonly creditsRemaining: number,
    /** Where credits are bought. */
    buyUrl?: string,
    whatCosts = 'This call costs',
  ) {
    const price = counted(creditsNeeded, 'credit');
    const balance = counted(creditsRemaining, 'is left', 'are left');
    const where = buyUrl === undefined ? '' : ` at ${buyUrl}`;
    super('insufficient_credits', `${whatCosts} ${price} and ${balance}; buy a pack${where} to continue.`);
  }
}
