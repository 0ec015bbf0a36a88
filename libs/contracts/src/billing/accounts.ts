import { message } from '../message.js';
import { type Page, type PageRequest } from '../pagination.js';
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

export interface CreateAccountRequest {
  readonly name: string;
  readonly email: string;
}

export const createAccount = message<CreateAccountRequest, AccountView>('billing', 'create_account', {
  resendAfterMs: null,
});
export const listAccounts = message<PageRequest, Page<AccountView>>('billing', 'list_accounts');
/** `not_found` when there is no such account. */
export const getAccount = message<{ readonly account_id: string }, AccountDetail>('billing', 'get_account');
