const lowBalanceCredits = 5;

/** The warning of a low balance, `undefined` above 5 credits (spec 2.4). */
export function creditsWarning(creditsRemaining: number): string | undefined {
  if (creditsRemaining > lowBalanceCredits) return undefined;
  const left = creditsRemaining === 1 ? '1 credit is left' : `${creditsRemaining} credits are left`;
  return `Low balance: ${left}.`;
}
