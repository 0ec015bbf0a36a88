/** A number with the words that fit it, as in `1 credit` and `2 credits`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

const lowBalanceCredits = 5;

/** The warning of a low balance, `undefined` above 5 credits. */
export function creditsWarning(creditsRemaining: number): string | undefined {
  if (creditsRemaining > lowBalanceCredits) return undefined;
  return `Low balance: ${counted(creditsRemaining, 'credit is left', 'credits are left')}.`;
}
