import {
  answerInvitation,
  getSession,
  type InviteMemberReply,
  inviteMember,
  leaveAccount,
  listInvitations,
  type MemberRole,
  openAccount,
  type OwnInvitations,
  type SessionView,
} from '@app/contracts';
import { v7 as uuidv7 } from 'uuid';
import { context } from '../../running-billing.fixture.js';
import { type Browser, type SigningIn } from '../sign-in/signing-in.fixture.js';

export const day = 24 * 3_600_000;
export const start = Date.UTC(2026, 2, 1, 12);
/** Of the mail with an invitation. */
export const subject = 'Invitation to an account';

export const address = (): string => `${uuidv7()}@acme.example`;

/** An account whose owner has signed in. */
export interface Team {
  readonly billing: SigningIn;
  readonly id: string;
  readonly email: string;
  readonly personId: string;
  readonly owner: Browser;
}

export async function team(billing: SigningIn, name = 'Acme'): Promise<Team> {
  const email = address();
  const id = await billing.account(email, name);
  const owner = await billing.signedIn(email);
  const { person_id: personId } = await show(billing, owner);
  return { billing, id, email, personId, owner };
}

export function show(billing: SigningIn, { sessionHash }: Browser): Promise<SessionView> {
  return billing.client.request(getSession, { session_hash: sessionHash }, context);
}

export function ask(
  { billing, id, personId }: Team,
  email: string,
  { role = 'member', invitation_id = uuidv7() }: { role?: MemberRole; invitation_id?: string } = {},
): Promise<InviteMemberReply> {
  const request = { account_id: id, email, role, invitation_id, person_id: personId };
  return billing.client.request(inviteMember, request, context);
}

export function received(billing: SigningIn, { sessionHash }: Browser): Promise<OwnInvitations> {
  return billing.client.request(listInvitations, { session_hash: sessionHash }, context);
}

export function answer(
  billing: SigningIn,
  { sessionHash }: Browser,
  invitation_id: string,
  is_accepted = true,
): Promise<SessionView> {
  const request = { session_hash: sessionHash, invitation_id, is_accepted };
  return billing.client.request(answerInvitation, request, context);
}

export function leave(
  billing: SigningIn,
  { sessionHash }: Browser,
  account_id: string,
): Promise<SessionView> {
  return billing.client.request(leaveAccount, { session_hash: sessionHash, account_id }, context);
}

export function openOwn(billing: SigningIn, { sessionHash }: Browser): Promise<SessionView> {
  const request = { session_hash: sessionHash, account_id: uuidv7() };
  return billing.client.request(openAccount, request, context);
}
