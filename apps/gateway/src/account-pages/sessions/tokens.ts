import { createHmac } from 'node:crypto';
import { isSameSecret } from '@app/platform';

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** Whether it can be a token of ours; anything else is refused without a look-up. */
export function isToken(text: string): boolean {
  return tokenPattern.test(text);
}

/** What every form of a visit holds: only a page that was given to this visitor knows it. */
export function formTokenOf(token: string): string {
  return createHmac('sha256', token).update('form').digest('base64url');
}

/** Compares in constant time. */
export function isFormToken(given: string, token: string): boolean {
  return isSameSecret(given, formTokenOf(token));
}
