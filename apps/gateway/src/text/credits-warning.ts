import { counted } from './counted.js';

const lowBalanceCredits = 5;

/** The warning of a low balance, `undefined` above 5 credits (spec 2.4). */
export function creditsWarning(creditsRemaining: number): string | undefined {
  if (creditsRemaining > lowBalanceCredits) return undefined;
  return `Low balance: ${counted(creditsRemaining, 'credit is left', 'credits are left')}.`;
}
