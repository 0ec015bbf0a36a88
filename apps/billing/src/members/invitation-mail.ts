import { composeMail, type Mail } from '../mail/mail.js';
import { withoutLinks } from '../mail/without-links.js';

interface Invitation {
  readonly to: string;
  readonly accountName: string;
  /** `null`: the mail can't say where. */
  readonly pagesUrl: string | null;
}

/** Tells someone that they are a member of an account now. */
export function invitationMail({ to, accountName, pagesUrl }: Invitation): Mail {
  const name = withoutLinks(accountName);
  return composeMail({
    to,
    subject: 'You can sign in to Creator Search',
    paragraphs: [
      `An owner of the account "${name}" has added you. You can see its credits and usage, and manage its API keys.`,
      ...(pagesUrl === null
        ? ['Sign in with this address on the account pages.']
        : [{ label: 'Sign in with this address', link: pagesUrl }]),
      'If you know nothing of this account, there is nothing to do.',
    ],
  });
}
