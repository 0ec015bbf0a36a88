import { type Done, neverResent, toBilling } from '../message.js';
import { AccountPath } from './accounts.js';
import { Choice, Flag, Id } from '../shape/fields.js';

/** An owner manages members, buys credits and changes settings; a member reads everything and manages keys. */
export const memberRoles = ['owner', 'member'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** A person who may sign in to an account. */
export interface MemberView {
  readonly person_id: string;
  readonly email: string;
  readonly role: MemberRole;
  /** ISO 8601 UTC. */
  readonly added_at: string;
  /** `null`: has not signed in to this account yet. */
  readonly last_seen_at: string | null;
}

/** An invitation as owners of its account see it. Times are ISO 8601 UTC. */
export interface InvitationView {
  readonly id: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly invited_at: string;
  readonly expires_at: string;
}

export class MemberPath extends AccountPath {
  @Id()
  readonly person_id: string;
}

export class ChangeMemberRequest extends MemberPath {
  @Choice(memberRoles, { optional: true })
  readonly role?: MemberRole;
}

export class RemoveMemberRequest extends MemberPath {
  /** Deletes the API keys that they have created, too. */
  @Flag({ optional: true })
  readonly delete_keys?: boolean;
}

export interface Members {
  /** Owners first, then by address. */
  readonly members: MemberView[];
  /** Open ones, newest first. */
  readonly invitations: InvitationView[];
}

export const listMembers = toBilling<Members>()('list_members', AccountPath);
/** `conflict` for the last owner. Never resent: it would undo a newer change. */
export const changeMember = toBilling<MemberView>()('change_member', ChangeMemberRequest, neverResent);
/** Ends their sessions for this account too. `conflict` for the last owner. Never resent: they may be invited again. */
export const removeMember = toBilling<Done<'removed'>>()('remove_member', RemoveMemberRequest, neverResent);
