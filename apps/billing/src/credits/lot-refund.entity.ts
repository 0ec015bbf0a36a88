import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The refund of a lot that was not bought by card, by an operator; what is taken for it are adjustments. */
@Entity('lot_refunds')
export class LotRefund {
  @PrimaryColumn('uuid', { name: 'lot_id' })
  lotId: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('text')
  reason: string;

  /** Unique within the account. */
  @Column('text')
  reference: string;

  @Column('integer', { name: 'credits_taken_back' })
  creditsTakenBack: number;

  /** The rest of what the lot once had; a voided charge may still return some of it to the lot. */
  @Column('integer', { name: 'credits_not_recovered' })
  creditsNotRecovered: number;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;
}
