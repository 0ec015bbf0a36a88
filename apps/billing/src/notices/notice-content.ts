import { type CardPack, type LotOrigin } from '@app/contracts';

/** What a notice says, by its kind. Times are ISO 8601 UTC. */
export interface DataByKind {
  readonly balance_low: { readonly credits_remaining: number; readonly threshold: number };
  readonly lot_expiring: {
    readonly lot_id: string;
    readonly pack: LotOrigin;
    readonly remaining: number;
    readonly expires_at: string;
  };
  readonly payment_received: {
    readonly order_id: string;
    readonly pack: CardPack;
    readonly credits: number;
    readonly price_cents: number;
    /** What was paid with tax and discounts, and the tax in it; absent from notices of an older version, for which it was the price. */
    readonly total_cents?: number | null;
    readonly tax_cents?: number | null;
    readonly expires_at: string;
  };
  readonly test: Record<string, never>;
}

/** A kind together with what it says. */
export type NoticeContent = {
  [Kind in keyof DataByKind]: { readonly kind: Kind; readonly data: DataByKind[Kind] };
}[keyof DataByKind];

export type NoticeData = NoticeContent['data'];
