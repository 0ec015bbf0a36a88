import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What an account had after an entry that is no charge. It is added a day after the entry. */
@Entity('entry_balances')
export class EntryBalance {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId: string;

  /** Of the entry. */
  @PrimaryColumn('timestamp with time zone', { name: 'created_at', precision: 3 })
  createdAt: Date;

  @PrimaryColumn('bigint', { name: 'entry_id' })
  entryId: string;

  @Column('bigint', { name: 'balance_after' })
  balanceAfter: string;
}

/** How far entries have balances: one row, none before the first. */
@Entity('entry_balances_cursor')
export class EntryBalancesCursor {
  @PrimaryColumn('boolean', { default: true })
  id: boolean;

  @Column('timestamp with time zone', { name: 'balanced_until', precision: 3 })
  balancedUntil: Date;
}
