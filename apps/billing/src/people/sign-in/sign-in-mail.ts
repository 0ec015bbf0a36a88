import { signInLinkPath } from '@app/contracts';
import { composeMail, type Mail } from '../mail/mail.js';
import { type SignInSecrets } from './sign-in-secrets.js';

interface SignInMail {
  readonly to: string;
  readonly pagesUrl: string;
  readonly network: string;
  readonly secrets: SignInSecrets;
}

/** The link under which an account page asks for confirmation and then signs in. */
export function signInUrl(pagesUrl: string, token: string): string {
  return `${pagesUrl}${signInLinkPath}?token=${encodeURIComponent(token)}`;
}

/** The mail with which someone signs in. */
export function signInMail({ to, pagesUrl, network, secrets: { token, code } }: SignInMail): Mail {
  return composeMail({
    kind: 'sign_in',
    to,
    subject: 'Sign in to Creator Search',
    paragraphs: [
      { label: 'Open this link to sign in', link: signInUrl(pagesUrl, token) },
      { label: 'Or enter this code where you requested it', shown: `${code.slice(0, 3)} ${code.slice(3)}` },
      'The link and the code work once, for ten minutes. Do not share them: we never ask for them.',
      `This was requested from ${network}. If that was not you, ignore this email.`,
    ],
  });
}
