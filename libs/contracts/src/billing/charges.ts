import { message } from '../message.js';

/** The paid operations of the public API. */
export type Operation = 'search' | 'profile';

/** `refused` charges took nothing and are forgotten after a minute; the others moved from `pending` to exactly one end. */
export type ChargeState = 'pending' | 'posted' | 'voided' | 'refused';

export interface ChargeRequest {
  /** UUIDv7 made by the gateway for this HTTP request; repeating it returns the stored outcome. */
  readonly charge_id: string;
  readonly account_id: string;
  readonly key_id: string;
  /** The `x-request-id`: a label, not unique, decides nothing. */
  readonly request_id: string;
  readonly operation: Operation;
  /** 0 re-checks the key, counts the call and writes no ledger entry. */
  readonly credits: number;
}

/** Everything that may come of a charge; none of it is an exception. */
export type ChargeReply =
  | { readonly outcome: 'charged'; readonly credits_used: number; readonly credits_remaining: number }
  | {
      readonly outcome: 'insufficient_credits';
      readonly credits_needed: number;
      readonly credits_remaining: number;
    }
  | { readonly outcome: 'key_revoked' }
  /** A void of this id came first: nothing is taken. */
  | { readonly outcome: 'voided' };

export interface Settlement {
  readonly charge_id: string;
  /** Lets a void lock the account before billing knows the charge. */
  readonly account_id: string;
  readonly outcome: 'posted' | 'voided';
}

/**
 * What became of one settlement; each is an acknowledgement.
 * `expired`: a post that came after the pending time-out; the credits are back.
 * `already_posted`: a void of a posted charge; it stays posted.
 */
export interface SettlementResult {
  readonly charge_id: string;
  readonly result: 'posted' | 'voided' | 'expired' | 'already_posted' | 'unknown_charge';
}

export interface SettleRequest {
  /** At most 500. */
  readonly settlements: Settlement[];
}

export interface SettleReply {
  readonly results: SettlementResult[];
}

/** Takes credits from the oldest unexpired lots, pending until settled. May be sent twice: a charge id has one outcome. */
export const charge = message<ChargeRequest, ChargeReply>('billing', 'charge');
/** Posts or voids charges; repeated until acknowledged, which is harmless: a charge has one end. */
export const settle = message<SettleRequest, SettleReply>('billing', 'settle', { queue: 'settlements' });
