import { message } from '../message.js';
import { Id, Text } from '../shape/fields.js';
import { Both } from '../shape/shape.js';
import { AccountPath } from './accounts.js';
import { type LotView } from './packs.js';
import { referenceLengthMax } from './purchases.js';

/** Names one lot of an account. */
export class LotPath extends AccountPath {
  @Id()
  readonly lot_id: string;
}

export class LotRefundBody {
  @Text({ max: 500 })
  readonly reason: string;

  /** Unique among the refunds of the account: the same reference again returns the same refund. */
  @Text({ max: referenceLengthMax })
  readonly reference: string;
}

export class RefundLotRequest extends Both(LotPath, LotRefundBody) {}

/** `created` is `false` when the reference was known: the lot is as it is now, and nothing was taken. */
export interface RefundLotReply {
  readonly created: boolean;
  readonly lot: LotView;
}

/**
 * Takes back what is left of one lot, and of no other. `not_found` without the account or the lot; `conflict` for a lot that has
 * expired, was refunded before, or was bought by card, and for a known reference with other content. May be sent twice: a reference
 * counts once.
 */
export const refundLot = message<RefundLotRequest, RefundLotReply>('billing', 'refund_lot', RefundLotRequest);
