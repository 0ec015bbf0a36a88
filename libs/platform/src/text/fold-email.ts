import { emailPattern } from '@app/contracts';

const lengthMax = 254;

/**
 * The one form in which e-mail addresses are compared: trimmed, compatibility-composed, lower case. `null` for a string
 * that is no address, or none any more in this form. Idempotent.
 */
export function foldEmail(email: string): string | null {
  const folded = email.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
  return folded.length <= lengthMax && emailPattern.test(folded) ? folded : null;
}
