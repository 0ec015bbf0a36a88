import { message } from '../message.js';
import { type Page, PageRequest } from '../pagination.js';
import { IdField, TextField } from '../validation/fields.js';
import { AccountPath } from './account-path.js';
import { type LotView } from './purchases.js';

/** An account as the admin API shows it. Times are ISO 8601 UTC. */
export interface AccountView {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly created_at: string;
  readonly credits_remaining: number;
}

export interface AccountDetail extends AccountView {
  /** Every lot of the account, oldest first. */
  readonly lots: LotView[];
}

export class CreateAccountRequest {
  /** UUIDv7 made by the gateway for this HTTP request: the id of the account, unless the key has made one before. */
  @IdField()
  readonly account_id: string;

  @TextField(200)
  readonly name: string;

  @TextField(254)
  readonly email: string;

  /** The caller's own, or one that the gateway made for this HTTP request. */
  @TextField(200)
  readonly idempotency_key: string;
}

/** `created` is `false` when the Idempotency-Key had made the account before: nothing was added. */
export interface CreateAccountReply {
  readonly created: boolean;
  readonly account: AccountView;
}

/** `conflict` for a known Idempotency-Key with other content. May be sent twice: an Idempotency-Key makes one account. */
export const createAccount = message<CreateAccountRequest, CreateAccountReply>(
  'billing',
  'create_account',
  CreateAccountRequest,
);
export const listAccounts = message<PageRequest, Page<AccountView>>('billing', 'list_accounts', PageRequest);
/** `not_found` when there is no such account. */
export const getAccount = message<AccountPath, AccountDetail>('billing', 'get_account', AccountPath);
