import { type MemberRole } from '@app/contracts';
import { composeMail, type Mail } from '../mail/mail.js';
import { withoutLinks } from '../mail/without-links.js';

interface Invited {
  readonly to: string;
  readonly accountName: string;
  readonly role: MemberRole;
  /** Address of the owner who invites. */
  readonly invitedBy: string;
  /** `null`: the mail can't say where. */
  readonly pagesUrl: string | null;
}

/** Invites a person to an account. Says nothing else about either. */
export function invitationMail({ to, accountName, role, invitedBy, pagesUrl }: Invited): Mail {
  const name = withoutLinks(accountName);
  const as = role === 'owner' ? 'an owner' : 'a member';
  return composeMail({
    kind: 'invitation',
    to,
    subject: 'Invitation to an account on Creator Search',
    paragraphs: [
      `${invitedBy} has invited you to the account "${name}" as ${as}.`,
      ...(pagesUrl === null
        ? ['Sign in to the account pages with this address to accept or decline.']
        : [{ label: 'Sign in with this address to accept or decline', link: `${pagesUrl}/accounts` }]),
      'The invitation is valid for 14 days. If you do not recognise this account, ignore this email.',
    ],
  });
}
