import { type EntryType } from '@app/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

/** One signed line of the ledger. It is never changed; a trigger adds it to its lot. */
@Entity('ledger_entries')
@Check('ledger_entries_type_known', `type IN ('purchase', 'charge', 'reversal', 'expiry', 'adjustment')`)
@Check(
  'ledger_entries_sign',
  `CASE type
    WHEN 'purchase' THEN credits > 0
    WHEN 'reversal' THEN credits > 0
    WHEN 'adjustment' THEN credits <> 0
    ELSE credits < 0
  END`,
)
@Check(
  'ledger_entries_cause',
  `CASE type
    WHEN 'charge' THEN charge_id IS NOT NULL AND adjustment_id IS NULL
    WHEN 'reversal' THEN charge_id IS NOT NULL AND adjustment_id IS NULL
    WHEN 'expiry' THEN adjustment_id IS NULL
    WHEN 'adjustment' THEN charge_id IS NULL AND adjustment_id IS NOT NULL
    ELSE charge_id IS NULL AND adjustment_id IS NULL
  END`,
)
@ForeignKey('lots', ['lotId', 'accountId'], ['id', 'accountId'], { name: 'ledger_entries_lot_fk' })
@Index('ledger_entries_of_account', ['accountId', 'id'])
@Index('ledger_entries_of_lot', ['lotId'])
@Index('ledger_entries_once_per_charge', ['chargeId', 'lotId', 'type'], {
  unique: true,
  where: 'charge_id IS NOT NULL',
})
@Index('ledger_entries_one_purchase', ['lotId'], { unique: true, where: `type = 'purchase'` })
@Index('ledger_entries_once_per_adjustment', ['adjustmentId', 'lotId'], {
  unique: true,
  where: 'adjustment_id IS NOT NULL',
})
export class LedgerEntry {
  /** Ascending within an account; a string, because the driver returns a bigint as one. */
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'ledger_entries_pk',
  })
  id: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column('uuid', { name: 'lot_id' })
  lotId: string;

  @Column('text')
  type: EntryType;

  /** Purchase +, charge -, reversal +, expiry -, adjustment +/-. */
  @Column('integer')
  credits: number;

  @Column('uuid', { name: 'charge_id', nullable: true })
  @ForeignKey('charges', { name: 'ledger_entries_charge_fk' })
  chargeId: string | null;

  /** Checked at commit. */
  @Column('uuid', { name: 'adjustment_id', nullable: true })
  @ForeignKey('adjustments', {
    name: 'ledger_entries_adjustment_fk',
    deferrable: 'INITIALLY DEFERRED',
  })
  adjustmentId: string | null;

  @Column('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;
}
