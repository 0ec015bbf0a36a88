import { message } from '../message.js';
import { ChoiceField, IdField, IntegerField, ListField, TextField } from '../validation/fields.js';
import { int4Max } from '../validation/formats.js';

/** The paid operations of the public API. */
export const operations = ['search', 'profile'] as const;
export type Operation = (typeof operations)[number];

/** `refused` charges took nothing and are forgotten after a minute; the others moved from `pending` to exactly one end. */
export type ChargeState = 'pending' | 'posted' | 'voided' | 'refused';

export class ChargeRequest {
  /** UUIDv7 made by the gateway for this HTTP request; repeating it returns the stored outcome. */
  @IdField()
  readonly charge_id: string;

  @IdField()
  readonly account_id: string;

  @IdField()
  readonly key_id: string;

  /** The `x-request-id`: a label, not unique, decides nothing. */
  @TextField(200)
  readonly request_id: string;

  @ChoiceField(operations)
  readonly operation: Operation;

  /** 0 re-checks the key, counts the call and writes no ledger entry. */
  @IntegerField({ min: 0, max: int4Max })
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

export class Settlement {
  @IdField()
  readonly charge_id: string;

  /** Lets a void lock the account before billing knows the charge. */
  @IdField()
  readonly account_id: string;

  @ChoiceField(['posted', 'voided'])
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

export class SettleRequest {
  /**
   * At most 500. One that can't be meant for any charge refuses none of the others and is acknowledged as `unknown_charge`: it
   * would be sent for ever.
   */
  @ListField(500)
  readonly settlements: Settlement[];
}

export interface SettleReply {
  readonly results: SettlementResult[];
}

/** Takes credits from the oldest unexpired lots, pending until settled. May be sent twice: a charge id has one outcome. */
export const charge = message<ChargeRequest, ChargeReply>('billing', 'charge', ChargeRequest);
/** Posts or voids charges; repeated until acknowledged, which is harmless: a charge has one end. */
export const settle = message<SettleRequest, SettleReply>('billing', 'settle', SettleRequest, {
  queue: 'settlements',
});
