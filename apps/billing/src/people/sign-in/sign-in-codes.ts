import { createHmac, randomInt } from 'node:crypto';
import { newToken } from '#platform';
import { type SignIn } from './sign-in.entity.js';

const codesEnd = 1_000_000;

/** Wrong codes for one sign-in; after the last one, its code is no longer accepted. */
const attemptsMax = 5;
/**
 * Wrong codes for one address within 24 hours; after the last one, only links work for it. Someone who requests mails to another
 * person's address all day can thus guess 20 of a million codes, not thousands.
 */
const attemptsOfAddressMax = 20;

/** What only the mail contains: the token of its link and its code. */
export interface SignInSecrets {
  /** 256 random bits, base64url. */
  readonly token: string;
  /** Six digits. */
  readonly code: string;
}

/** A sign-in as it is when a code arrives for it. */
export interface CodeAttempt extends Pick<SignIn, 'usedAt' | 'expiresAt' | 'attempts'> {
  /** Whether the code is the one of the mail. */
  readonly isRight: boolean;
  /** Wrong codes so far for its address within 24 hours. */
  readonly attemptsOfAddress: number;
  readonly now: Date;
}

/** `over`: no code is accepted any longer, not even the right one. */
export type CodeVerdict = 'right' | 'wrong' | 'over';

export function newSecrets(): SignInSecrets {
  return { token: newToken(), code: String(randomInt(codesEnd)).padStart(6, '0') };
}

/** A code as a mail shows it. */
export function shownCode(code: string): string {
  return `${code.slice(0, 3)} ${code.slice(3)}`;
}

/**
 * What is stored of a code. A plain hash of six digits could be reversed by trying them all; the key comes from the cookie of the
 * browser that requested the mail, and is not stored.
 */
export function hashCode(browserHash: string, signInId: string, code: string): string {
  return createHmac('sha256', browserHash).update(`${signInId}:${code}`).digest('hex');
}

/** Checks a code. The caller counts a wrong one. */
export function checkCode(attempt: CodeAttempt): CodeVerdict {
  if (attempt.usedAt !== null || attempt.now >= attempt.expiresAt) return 'over';
  if (attempt.attempts >= attemptsMax || attempt.attemptsOfAddress >= attemptsOfAddressMax) return 'over';
  return attempt.isRight ? 'right' : 'wrong';
}
