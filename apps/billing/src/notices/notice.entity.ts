import { type CardPack, type LotOrigin, type NoticeKind } from '#contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A key that has spent most or all of its monthly limit. */
interface KeyLimitData {
  readonly key_id: string;
  readonly key_name: string;
  readonly key_prefix: string;
  readonly monthly_limit: number;
  readonly spent: number;
  readonly resets_at: string;
}

/** The data of a notice, by its kind. Times are ISO 8601 UTC. */
export interface DataByKind {
  readonly balance_low: { readonly credits_remaining: number; readonly threshold: number };
  readonly key_limit_near: KeyLimitData;
  readonly key_limit_reached: KeyLimitData;
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
    /** The amount paid after tax and discounts, and the tax in it; `null`: not known. */
    readonly total_cents: number | null;
    readonly tax_cents: number | null;
    readonly expires_at: string;
  };
  readonly test: Record<string, never>;
  /** The webhook answered 410 and was removed. Sent by mail only. */
  readonly webhook_removed: { readonly host: string };
}

/** A kind with its data. */
export type NoticeContent = {
  [Kind in keyof DataByKind]: { readonly kind: Kind; readonly data: DataByKind[Kind] };
}[keyof DataByKind];

/** A message to an account, stored once for each kind and subject, in the transaction of what it reports. */
@Entity('notices')
export class Notice {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('text')
  kind: NoticeKind;

  /** What it is about, for example the id of a lot. */
  @Column('text')
  subject: string;

  @Column('jsonb')
  data: NoticeContent['data'];

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;
}
