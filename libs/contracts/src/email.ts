import { domainToASCII, domainToUnicode } from 'node:url';
import { fieldWith } from './shape/field.js';
import { trimmed } from './shape/fields.js';

/** One local part, one `@`, a domain with a dot, no white space; 254 characters at most. */
const emailPattern = /^[^\s@<>"',;]{1,64}@[^\s@<>"',;.]+(?:\.[^\s@<>"',;.]+)+$/u;
const lengthMax = 254;

/** Shown as nothing, or not at all: two addresses that differ by one look the same. */
const invisible = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/**
 * The only test of e-mail addresses, and the one form in which they are stored, compared and mailed: trimmed, lower case,
 * international domains in Unicode. `null` for what is no address, and for an address that software on its way could take
 * for another one: characters that NFKC replaces, domains that IDNA maps, invisible characters. Idempotent.
 */
export function foldEmail(email: string): string | null {
  const given = email.trim();
  const folded = given.toLowerCase();
  if (folded.length > lengthMax || !emailPattern.test(folded) || invisible.test(folded)) return null;
  // The Kelvin sign is an ordinary k in lower case: so both are tested.
  if (given.normalize('NFKC') !== given || folded.normalize('NFKC') !== folded) return null;
  const at = folded.indexOf('@');
  const domain = unicodeDomain(folded.slice(at + 1));
  return domain === null ? null : `${folded.slice(0, at)}@${domain}`;
}

/** What is wrong with an address, for a form; `null`: nothing. */
export function emailProblem(email: string): string | null {
  if (foldEmail(email) !== null) return null;
  return isLookAlike(email)
    ? 'This address has characters that stand for others, such as full-width letters. Enter it without them.'
    : 'Enter a valid email address.';
}

/**
 * Identifies one mailbox when mails are counted, and for nothing else: many providers ignore dots and what follows a plus sign.
 * Expects the compared form.
 */
export function mailboxOf(emailFolded: string): string {
  const at = emailFolded.indexOf('@');
  const [name = ''] = emailFolded.slice(0, at).replaceAll('.', '').split('+', 1);
  const domain = domainToASCII(emailFolded.slice(at + 1)).replace(/^googlemail\.com$/, 'gmail.com');
  return `${name || emailFolded.slice(0, at)}@${domain}`;
}

/** An address that `foldEmail` accepts, white space around it dropped. */
export const Email = fieldWith<string>({
  schema: { type: 'string', format: 'email', maxLength: lengthMax },
  sentence: (email) =>
    typeof email === 'string' && isLookAlike(email)
      ? 'must not have characters that stand for others, such as full-width letters'
      : 'must be an email address',
  clean: trimmed,
  isValid: (email) => typeof email === 'string' && foldEmail(email) !== null,
});

function isLookAlike(email: string): boolean {
  return emailPattern.test(email.trim()) && email.trim().length <= lengthMax && foldEmail(email) === null;
}

/** `null` for a domain that is written in neither its ASCII nor its Unicode form. */
function unicodeDomain(domain: string): string | null {
  const ascii = domainToASCII(domain);
  const unicode = domainToUnicode(ascii);
  return ascii !== '' && (domain === ascii || domain === unicode) ? unicode : null;
}
