import { type Done, neverResent, toBilling } from '../message.js';
import { Email } from '../email.js';
import { AccountPath } from './accounts.js';
import { type InvitationView, type MemberRole, memberRoles } from './members.js';
import { SessionRequest, type SessionView } from './sign-in.js';
import { Choice, Flag, Id } from '../shape/fields.js';
import { Both } from '../shape/shape.js';

/** An invitation as the invited person sees it. */
export interface ReceivedInvitation extends Pick<InvitationView, 'id' | 'role' | 'expires_at'> {
  readonly account_name: string;
  /** Address of the owner who sent it; `null` when unknown. */
  readonly invited_by: string | null;
}

export interface OwnInvitations {
  readonly invitations: ReceivedInvitation[];
  /** Sign-up is open, and the person has no account that was opened for their address. */
  readonly can_open_account: boolean;
}

export interface InviteMemberReply extends InvitationView {
  /** `false`: no mail server is set up, so the owner has to notify the person in another way. */
  readonly is_mailed: boolean;
}

export class InviteMemberRequest extends AccountPath {
  /** UUIDv7 made by the gateway for this form: a repeated message sends one mail. */
  @Id()
  readonly invitation_id: string;

  @Email()
  readonly email: string;

  @Choice(memberRoles)
  readonly role: MemberRole;

  /** The owner who invites. */
  @Id()
  readonly person_id: string;
}

export class InvitationPath extends AccountPath {
  @Id()
  readonly invitation_id: string;
}

export class AnswerInvitationRequest extends SessionRequest {
  @Id()
  readonly invitation_id: string;

  @Flag()
  readonly is_accepted: boolean;
}

/** `account_id` is a UUIDv7 made by the website: the id of the new account. */
export class OpenAccountRequest extends Both(SessionRequest, AccountPath) {}

export class LeaveAccountRequest extends Both(SessionRequest, AccountPath) {}

/**
 * Invites an address by mail; a membership begins when its person accepts. The reply is the same for known and unknown
 * addresses. `conflict` for a member, for an address with an open invitation, and beyond 50 members and invitations;
 * `rate_limited` beyond 20 a day for the account, one for the address, and five for the address from all accounts. May be sent
 * twice: an invitation id is one invitation.
 */
export const inviteMember = toBilling<InviteMemberReply>()('invite_member', InviteMemberRequest);
/** `not_found` when it was accepted, declined or revoked. Never resent: the address may be invited again. */
export const revokeInvitation = toBilling<Done<'revoked'>>()(
  'revoke_invitation',
  InvitationPath,
  neverResent,
);
/** The invitations that wait for the person of a session, oldest first. */
export const listInvitations = toBilling<OwnInvitations>()('list_invitations', SessionRequest);
/**
 * Accepts, after which the session shows the account, or declines. `not_found` for an invitation of another address and for
 * one that has ended; `conflict` for a 51st member. Never resent: it would undo a newer switch.
 */
export const answerInvitation = toBilling<SessionView>()(
  'answer_invitation',
  AnswerInvitationRequest,
  neverResent,
);
/**
 * Opens an account for the address of the person, which the session then shows. `forbidden` unless `SIGN_UP` is open;
 * `conflict` when there is one. Never resent: it would undo a newer switch.
 */
export const openAccount = toBilling<SessionView>()('open_account', OpenAccountRequest, neverResent);
/**
 * Ends a membership of the person. The session then shows another of their accounts, or none. `conflict` for the last owner.
 * Never resent: they may have been invited again.
 */
export const leaveAccount = toBilling<SessionView>()('leave_account', LeaveAccountRequest, neverResent);
