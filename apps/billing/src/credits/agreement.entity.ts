import { safeInteger } from '#platform/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A standing order for a monthly Enterprise lot. */
@Entity('agreements')
export class Agreement {
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('integer')
  credits: number;

  @Column('bigint', { name: 'price_cents', transformer: safeInteger })
  priceCents: number;

  @Column('timestamp with time zone', { name: 'starts_at', precision: 3 })
  startsAt: Date;

  /** Due dates that have been granted. */
  @Column('integer', { default: 0 })
  grants: number;

  /** `null` once the agreement has ended. */
  @Column('timestamp with time zone', { name: 'next_due_at', precision: 3, nullable: true })
  nextDueAt: Date | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @Column('timestamp with time zone', { name: 'ended_at', precision: 3, nullable: true })
  endedAt: Date | null;
}
