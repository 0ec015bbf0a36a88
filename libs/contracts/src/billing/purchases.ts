import { neverResent, toBilling } from '../message.js';
import { Choice, Id, Integer, PastTime, Text, Time } from '../shape/fields.js';
import { Both } from '../shape/shape.js';
import { AccountPath } from './accounts.js';
import { type LotView, type PackName, packNames } from './packs.js';

/** Most credits in one purchase, agreement or adjustment. */
const creditsMax = 1_000_000_000;
/** Most US cents in one purchase: a billion dollars. */
const priceCentsMax = 100_000_000_000;
export const referenceLengthMax = 200;

export class PurchaseBody {
  @Choice(packNames)
  readonly pack: PackName;

  /** Unique per account: the same reference again returns the same lot. */
  @Text({ max: referenceLengthMax })
  readonly reference: string;

  /** Enterprise only. */
  @Integer({ min: 1, max: creditsMax, optional: true })
  readonly credits?: number;

  /** Enterprise only, US cents. */
  @Integer({ max: priceCentsMax, optional: true })
  readonly price_cents?: number;

  /** ISO 8601, or a day; not in the future. Default: now. */
  @PastTime({ optional: true })
  readonly purchased_at?: string;
}

export class PurchaseRequest extends Both(AccountPath, PurchaseBody) {}

/** `created` is `false` when the reference was known: the lot is the stored one and nothing was added. */
export interface PurchaseReply {
  readonly created: boolean;
  readonly lot: LotView;
}

export class AgreementBody {
  @Integer({ min: 1, max: creditsMax })
  readonly credits: number;

  @Integer({ min: 1, max: priceCentsMax })
  readonly price_cents: number;

  /** ISO 8601; default: now. Its day of the month is the due day. */
  @Time({ optional: true })
  readonly starts_at?: string;
}

export class AgreementRequest extends Both(AccountPath, AgreementBody) {}

export interface AgreementView extends Required<AgreementBody> {
  readonly id: string;
  readonly next_due_at: string | null;
  readonly ended_at: string | null;
}

/** Most credits of goodwill by a token with the role `support`: in one adjustment, and in all of 24 hours. */
export const supportCreditsMax = { each: 100, daily: 500 } as const;

export class AdjustmentBody {
  /** Positive: goodwill, a lot of its own. Negative: a correction, oldest lots first. */
  @Integer({ min: -creditsMax, max: creditsMax, except: 0 })
  readonly credits: number;

  @Text({ max: 500 })
  readonly reason: string;

  /** Unique per account, as that of a purchase. */
  @Text({ max: referenceLengthMax })
  readonly reference: string;
}

export class AdjustmentRequest extends Both(AccountPath, AdjustmentBody) {}

export interface AdjustmentReply {
  readonly created: boolean;
  readonly adjustment: AdjustmentBody & {
    readonly id: string;
    readonly at: string;
    /** The lot of a goodwill adjustment; `null` for a correction. */
    readonly lot: LotView | null;
  };
  readonly credits_remaining: number;
}

/**
 * `conflict` when the reference is known with other content; `invalid_request` with details for a broken rule. May be sent
 * twice: a reference counts once.
 */
export const purchase = toBilling<PurchaseReply>()('purchase', PurchaseRequest);
/**
 * `conflict` when the account has a running agreement already. Never resent: it would restart an agreement that has ended.
 */
export const startAgreement = toBilling<AgreementView>()('start_agreement', AgreementRequest, neverResent);
/** `not_found` without a running agreement. */
export const getAgreement = toBilling<AgreementView>()('get_agreement', AccountPath);
/** `not_found` without a running agreement. Never resent: it would end a newer agreement. */
export const endAgreement = toBilling<AgreementView>()('end_agreement', AccountPath, neverResent);
/**
 * `conflict` when a correction would take more than the balance, or the reference has other content; `forbidden` beyond
 * `supportCreditsMax`. May be sent twice: a reference counts once.
 */
export const adjust = toBilling<AdjustmentReply>()('adjust', AdjustmentRequest);

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
 * Takes back the rest of one lot only. `not_found` without the account or the lot; `conflict` for a lot that has
 * expired, was refunded before, or was bought by card, and for a known reference with other content. May be sent twice: a reference
 * counts once.
 */
export const refundLot = toBilling<RefundLotReply>()('refund_lot', RefundLotRequest);
