import { type Lot } from '../ledger/lots/lot.entity.js';

/** Credits for which the buyer has the money back. */
export interface OwedCredits {
  /** Credits that have to go back by now. */
  readonly owed: number;
  readonly creditsTakenBack: number;
}

export interface ReturnPlan {
  /** Added to the lot: negative takes credits back, positive gives back what was taken. */
  readonly change: number;
  readonly creditsTakenBack: number;
  readonly creditsNotRecovered: number;
}

/**
 * The one rule for credits whose money went back. Takes what is owed from the very lot that was bought with it, as far as credits are
 * left there, or gives back what was taken when money has come back. Nothing changes in an expired lot: its credits are gone for both
 * sides.
 */
export function planReturn(
  { owed, creditsTakenBack }: OwedCredits,
  { remaining, isExpired }: Pick<Lot, 'remaining'> & { readonly isExpired: boolean },
): ReturnPlan {
  const missing = owed - creditsTakenBack;
  const taken = isExpired ? 0 : Math.min(missing, remaining);
  return {
    // Not -0, which is no number of credits.
    change: taken === 0 ? 0 : -taken,
    creditsTakenBack: creditsTakenBack + taken,
    creditsNotRecovered: Math.max(0, missing - taken),
  };
}
