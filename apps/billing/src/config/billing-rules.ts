import { foldEmail } from '#contracts';
import { isLoopback, urlWith } from '#platform';
import { EnvError, makeValidator } from 'envalid';
import { logUrl, parseMailUrl } from './mail-url.js';

/** The origin of pages. */
export const webUrl = urlWith('http:', 'https:');

/** The URL of a mail server. */
export const mailUrl = makeValidator<string>((input) => {
  const url = parseMailUrl(input);
  if (url !== null) return url;
  throw new EnvError(
    'must be smtp://host:port or smtps://host:port, with user:password@ before the host or without, and ' +
      '?requireTLS=true after it or not; or log:',
  );
});

/** An e-mail address, or a name and one: `Creator Search <no-reply@example.com>`. */
export const sender = makeValidator<string>((input) => {
  const [, address = input] = /^[^<>\r\n]*<([^<>]+)>$/.exec(input) ?? [];
  if (foldEmail(address) === null) throw new EnvError('must be an e-mail address, or `Name <address>`');
  return input;
});

interface Mailing {
  readonly NODE_ENV?: string;
  readonly SITE_URL?: string;
  readonly MAIL_URL?: string;
  readonly MAIL_FROM?: string;
}

/** A server needs a sender; the log is no place for mails where customers sign in. */
export function mailProblems({ NODE_ENV, SITE_URL, MAIL_URL, MAIL_FROM }: Mailing): Record<string, string> {
  if (MAIL_URL === logUrl && (NODE_ENV === 'production' || !isOnThisMachine(SITE_URL))) {
    return {
      MAIL_URL:
        'must not be log: with NODE_ENV=production, or where SITE_URL is not this machine, because the log would let its readers sign in',
    };
  }
  return MAIL_URL !== undefined && MAIL_URL !== logUrl && MAIL_FROM === undefined
    ? { MAIL_FROM: 'is missing: mails need a sender when MAIL_URL is a server' }
    : {};
}

/** Whether only this machine can reach this origin; `true` where none is configured. */
export function isOnThisMachine(siteUrl: string | undefined): boolean {
  if (siteUrl === undefined || siteUrl === '' || !URL.canParse(siteUrl)) return true;
  return isLoopback(new URL(siteUrl).hostname);
}
