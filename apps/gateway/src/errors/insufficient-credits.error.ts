import { ServiceError } from '@app/contracts';

/** The balance is lower than the price (spec 7): nothing was taken. */
export class InsufficientCreditsError extends ServiceError {
  constructor(
    readonly creditsNeeded: number,
    readonly creditsRemaining: number,
  ) {
    super(
      'insufficient_credits',
      `This call costs ${creditsNeeded} credits and ${creditsRemaining} are left; buy a pack to go on.`,
    );
  }
}
