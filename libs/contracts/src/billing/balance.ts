import { message } from '../message.js';
import { AccountPath } from './account-path.js';
import { type LotOrigin } from './purchases.js';

/** A lot whose credits have not expired, as its owner sees it. Times are ISO 8601 UTC. */
export interface UnexpiredLot {
  readonly pack: LotOrigin;
  readonly credits: number;
  readonly remaining: number;
  readonly purchased_at: string;
  readonly expires_at: string;
}

export interface BalanceReply {
  /** What the lots hold together. */
  readonly credits_remaining: number;
  /** In the order in which their credits are spent, oldest first. */
  readonly lots: UnexpiredLot[];
}

/** Only reads: may be sent twice. An account that does not exist has nothing. */
export const getBalance = message<AccountPath, BalanceReply>('billing', 'get_balance', AccountPath);
