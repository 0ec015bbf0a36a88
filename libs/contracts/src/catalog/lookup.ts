import { type ErrorDetails } from '../errors.js';
import { message } from '../message.js';
import { ChoiceField, ListField, OptionalField, TextField } from '../validation/fields.js';
import { type Platform, platforms } from './platforms.js';

/** Most accounts in one look-up. */
export const soughtAccountsMax = 100;

/** A platform account as somebody names it: by `url`, or by `platform` and `handle`. */
export class SoughtAccount {
  /** A link to the account's profile, in any form in which people paste it. */
  @OptionalField()
  @TextField(2_000)
  readonly url?: string;

  @OptionalField()
  @ChoiceField(platforms)
  readonly platform?: Platform;

  @OptionalField()
  @TextField(200)
  readonly handle?: string;
}

export class LookupRequest {
  /** At most `soughtAccountsMax`. One that names no account does not fail the others. */
  @ListField(soughtAccountsMax)
  readonly accounts: readonly SoughtAccount[];
}

export interface LookupResult {
  /** The published creator with this account; `null` when there is none. */
  readonly slug: string | null;
  /** Only when what was given names no account: what is wrong with each of its fields. */
  readonly details?: ErrorDetails;
}

export interface LookupReply {
  /** One for each sought account, in their order. */
  readonly results: LookupResult[];
}

/** Finds creators by their platform accounts. Only reads: may be sent twice. */
export const lookUpAccounts = message<LookupRequest, LookupReply>('catalog', 'look_up', LookupRequest);
