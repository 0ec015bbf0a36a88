/** Wrong codes for one sign-in; after the last one it is over. */
export const attemptsMax = 5;
/**
 * Wrong codes for one address within 24 hours; after the last one its codes are refused, and its links still work. Someone
 * who has mails sent to an address of others all day thus guesses 20 of a million codes, not thousands.
 */
export const attemptsOfAddressMax = 20;

/** What is known of a sign-in when a code arrives for it. */
export interface CodeAttempt {
  /** Whether the code is the one of the mail. */
  readonly isRight: boolean;
  readonly isUsed: boolean;
  readonly expiresAt: Date;
  /** Wrong codes so far: for this sign-in, and for all of its address within 24 hours. */
  readonly attempts: number;
  readonly attemptsOfAddress: number;
  readonly now: Date;
}

/** `over`: neither this code nor another one counts any more. */
export type CodeVerdict = 'right' | 'wrong' | 'over';

/** Decides about a code. A wrong one is to be counted. */
export function judgeCode(attempt: CodeAttempt): CodeVerdict {
  if (attempt.isUsed || attempt.now.getTime() >= attempt.expiresAt.getTime()) return 'over';
  if (attempt.attempts >= attemptsMax || attempt.attemptsOfAddress >= attemptsOfAddressMax) return 'over';
  return attempt.isRight ? 'right' : 'wrong';
}
