import { Email } from '../email.js';
import { message, neverResent } from '../message.js';
import { type Page } from '../pagination.js';
import { Flag, Integer, Sha256, Time } from '../shape/fields.js';

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
  /** Their payments in Stripe's Dashboard, where they can be erased; the newest 100. */
  readonly payment_urls: readonly string[];
}

/** An erasure in the list by which it is repeated after a backup was restored. */
export interface ErasureView {
  /** SHA-256 of the address in its compared form, hex. */
  readonly email_hash: string;
  /** ISO 8601 UTC. */
  readonly erased_at: string;
  readonly close_accounts: boolean;
}

export class ListErasuresRequest {
  @Integer({ min: 1, max: 200, default: 200 })
  readonly limit: number;

  /** The last hash of the page before. */
  @Sha256({ optional: true })
  readonly cursor?: string;
}

export class RepeatErasureRequest {
  @Sha256()
  readonly email_hash: string;

  /** ISO 8601: who signed up since stays. */
  @Time()
  readonly erased_at: string;

  @Flag()
  readonly close_accounts: boolean;
}

/** Everything that is held about a person, at most 1,000 of each, newest first. Times are ISO 8601 UTC. */
export interface PersonReport {
  readonly email: string;
  /** `null`: nobody with this address has signed in or is a member. */
  readonly person: { readonly id: string; readonly created_at: string } | null;
  /** Accounts whose own address it is. */
  readonly accounts: readonly {
    readonly id: string;
    readonly name: string;
    readonly created_at: string;
    /** The network of a sign-up in the last 24 hours; else `null`. */
    readonly signed_up_from: string | null;
  }[];
  readonly memberships: readonly {
    readonly account_id: string;
    readonly account_name: string;
    readonly role: string;
    readonly added_at: string;
    readonly last_seen_at: string | null;
  }[];
  readonly identities: readonly {
    readonly issuer: string;
    readonly subject: string;
    readonly bound_at: string;
    readonly last_used_at: string;
  }[];
  readonly sessions: readonly {
    readonly id: string;
    readonly account_id: string | null;
    readonly method: string | null;
    readonly network: string;
    readonly user_agent: string;
    readonly signed_in_at: string;
    readonly last_seen_at: string;
    readonly expires_at: string;
  }[];
  readonly sign_ins: readonly {
    readonly created_at: string;
    readonly used_at: string | null;
    readonly attempts: number;
  }[];
  /** Received by this address. */
  readonly invitations: readonly {
    readonly account_id: string;
    readonly role: string;
    readonly created_at: string;
    readonly ended_at: string | null;
  }[];
  /** Sent by the person, to other addresses. */
  readonly invitations_sent: readonly { readonly account_id: string; readonly created_at: string }[];
  readonly orders: readonly {
    readonly id: string;
    readonly account_id: string;
    readonly pack: string;
    readonly state: string;
    readonly ordered_at: string;
  }[];
  readonly keys: readonly {
    readonly id: string;
    readonly account_id: string;
    readonly name: string;
    readonly prefix: string;
    readonly created_at: string;
    readonly deleted_at: string | null;
  }[];
  readonly mails: readonly {
    readonly account_id: string;
    readonly kind: string;
    readonly state: string;
    readonly problem: string | null;
    readonly created_at: string;
  }[];
}

/** Only reads: may be sent twice. Of an address about which nothing is held, every list is empty. */
export const getPersonReport = message<PersonRequest, PersonReport>(
  'billing',
  'get_person_report',
  PersonRequest,
);
/**
 * Erases what identifies a person; what has to stay is pseudonymous. `conflict` names the accounts whose last owner they are, unless
 * these are to be closed; `not_found` when nothing is held. Never resent: the address may have signed up again.
 */
export const erasePerson = message<ErasePersonRequest, ErasureReply>(
  'billing',
  'erase_person',
  ErasePersonRequest,
  neverResent,
);
/** By their hashes. */
export const listErasures = message<ListErasuresRequest, Page<ErasureView>>(
  'billing',
  'list_erasures',
  ListErasuresRequest,
);
/**
 * After a backup was restored: erases the person with this hash again, unless they came later. The counts are 0 when there is none.
 * May be sent twice: the second time there is none.
 */
export const repeatErasure = message<RepeatErasureRequest, ErasureReply>(
  'billing',
  'repeat_erasure',
  RepeatErasureRequest,
);
