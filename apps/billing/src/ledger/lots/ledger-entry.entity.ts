import { type EntryType } from '#contracts';
import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

/** One signed line of the ledger. It is never changed; a trigger adds it to its lot. */
@Entity('ledger_entries')
export class LedgerEntry {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  /** Its month is that of the partition. */
  @PrimaryColumn('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  /** Ascending within an account; a string, because the driver returns a bigint as one. */
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
  })
  id: string;

  @Column('uuid', { name: 'lot_id' })
  lotId: string;

  @Column('text')
  type: EntryType;

  /** Purchase +, charge -, reversal +, expiry -, adjustment +/-. */
  @Column('integer')
  credits: number;

  @Column('uuid', { name: 'charge_id', nullable: true })
  chargeId: string | null;

  /** Checked at commit. */
  @Column('uuid', { name: 'adjustment_id', nullable: true })
  adjustmentId: string | null;
}
