import { Email } from '../email.js';
import { type Done, neverResent, toBilling } from '../message.js';
import { Flag, Text } from '../shape/fields.js';
import { Both } from '../shape/shape.js';
import { accountNameLengthMax, AccountPath } from './accounts.js';
import { SessionRequest } from './sign-in.js';

/** Names a person by their address, in a body: an address belongs into no URL and no log. */
export class PersonRequest {
  @Email()
  readonly email: string;
}

export class ErasePersonRequest extends PersonRequest {
  /** Also closes the accounts whose last owner the person is; default: then nothing is erased. */
  @Flag({ optional: true })
  readonly close_accounts?: boolean;
}

/** What an erasure removes, in the order in which it is shown. */
export const erasedKinds = [
  'people',
  'memberships',
  'identities',
  'sessions',
  'sign_ins',
  'invitations',
  'mails',
  'account_addresses',
  'closed_accounts',
  'switched_off_keys',
  'log_entries',
] as const;
export type ErasedKind = (typeof erasedKinds)[number];

export interface ErasureReply {
  readonly erased: Readonly<Record<ErasedKind, number>>;
  /** The person's payments in Stripe's Dashboard, where they can be erased; the newest 100. */
  readonly payment_urls: readonly string[];
}

/** A row of a report: what billing holds, by the names of its columns. */
type ReportRow = Readonly<Record<string, unknown>>;

/** Everything that is held about a person, at most 1,000 of each, newest first. Times are ISO 8601 UTC. */
export interface PersonReport {
  readonly email: string;
  /** `null`: no person with this address has signed in or is a member. */
  readonly person: { readonly id: string; readonly created_at: string } | null;
  /** Accounts whose own address it is. */
  readonly accounts: readonly ReportRow[];
  readonly memberships: readonly ReportRow[];
  readonly identities: readonly ReportRow[];
  readonly sessions: readonly ReportRow[];
  readonly sign_ins: readonly ReportRow[];
  /** Received by this address. */
  readonly invitations: readonly ReportRow[];
  /** Sent by the person, to other addresses. */
  readonly invitations_sent: readonly ReportRow[];
  readonly orders: readonly ReportRow[];
  readonly keys: readonly ReportRow[];
  readonly mails: readonly ReportRow[];
}

/** By the session of an owner. */
export class CloseAccountRequest extends Both(SessionRequest, AccountPath) {
  /** Present name of the account, typed by the owner to confirm. */
  @Text({ max: accountNameLengthMax })
  readonly name: string;
}

/**
 * Closes an account permanently: its keys stop working, its credits lapse, its members are signed out, and an owner without another account
 * is erased. `forbidden` unless the session is of an owner, `invalid_request` for another name, `conflict` while it is suspended or a
 * payment is processing. Never resent: its session has ended then.
 */
export const closeAccount = toBilling<Done<'closed'>>()('close_account', CloseAccountRequest, neverResent);

/** Only reads: may be sent twice. Of an address about which nothing is held, every list is empty. */
export const getPersonReport = toBilling<PersonReport>()('get_person_report', PersonRequest);
/**
 * Erases what identifies a person; what has to stay is pseudonymous. `conflict` names the accounts whose last owner they are, unless
 * these are to be closed; `not_found` when nothing is held. Never resent: the address may have signed up again.
 */
export const erasePerson = toBilling<ErasureReply>()('erase_person', ErasePersonRequest, neverResent);
