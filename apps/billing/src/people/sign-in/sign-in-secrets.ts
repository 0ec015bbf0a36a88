import { createHmac, randomInt } from 'node:crypto';
import { newToken } from '@app/platform';

const codesEnd = 1_000_000;

/** What only the mail says: the token of its link and its code. */
export interface SignInSecrets {
  /** 256 random bits, base64url. */
  readonly token: string;
  /** Six digits. */
  readonly code: string;
}

export function newSecrets(): SignInSecrets {
  return {
    token: newToken(),
    code: String(randomInt(codesEnd)).padStart(6, '0'),
  };
}

/**
 * What is stored of a code. Six digits could be read from their plain hash; the key comes from the cookie of the browser
 * that asked for the mail, and is stored nowhere.
 */
export function hashCode(browserHash: string, signInId: string, code: string): string {
  return createHmac('sha256', browserHash).update(`${signInId}:${code}`).digest('hex');
}
