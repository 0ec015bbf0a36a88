import { message, neverResent } from '../message.js';
import { ChoiceField, IdField, OptionalField, PatternField } from '../validation/fields.js';
import { AccountPath } from './account-path.js';

/** An owner manages members, buys credits and changes settings; a member reads everything and manages keys. */
export const memberRoles = ['owner', 'member'] as const;
export type MemberRole = (typeof memberRoles)[number];

/** One local part, one `@`, a domain with a dot, no white space; 254 characters at most. */
export const emailPattern = /^[^\s@<>"',;]{1,64}@[^\s@<>"',;.]+(?:\.[^\s@<>"',;.]+)+$/u;

export function EmailField(): PropertyDecorator {
  return PatternField(emailPattern, 254, 'an e-mail address');
}

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

export class MemberPath extends AccountPath {
  @IdField()
  readonly person_id: string;
}

export class AddMemberRequest extends AccountPath {
  @EmailField()
  readonly email: string;

  @ChoiceField(memberRoles)
  readonly role: MemberRole;

  /** UUIDv7 of the person, unless the address is known already. */
  @IdField()
  readonly person_id: string;
}

export class ChangeMemberRequest extends MemberPath {
  @OptionalField()
  @ChoiceField(memberRoles)
  readonly role?: MemberRole;
}

/** Owners first, then by address. */
export const listMembers = message<AccountPath, { readonly members: MemberView[] }>(
  'billing',
  'list_members',
  AccountPath,
);
/**
 * Adds a person, who is told by mail and may sign in with that address; a known member stays as they are. `conflict` for
 * a 51st member. May be sent twice: an address is a member once.
 */
export const addMember = message<AddMemberRequest, MemberView>('billing', 'add_member', AddMemberRequest);
/** `conflict` for the last owner. Never resent: it would undo a newer change. */
export const changeMember = message<ChangeMemberRequest, MemberView>(
  'billing',
  'change_member',
  ChangeMemberRequest,
  neverResent,
);
/** Ends their sessions for this account too. `conflict` for the last owner. Never resent: they may be added again. */
export const removeMember = message<MemberPath, { readonly removed: true }>(
  'billing',
  'remove_member',
  MemberPath,
  neverResent,
);
