import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A month of the ledger that is a file: nothing reads its entries and charges in the database any longer. */
@Entity('ledger_archives')
export class LedgerArchive {
  /** Its first day, `YYYY-MM-DD`. */
  @PrimaryColumn('date', { primaryKeyConstraintName: 'ledger_archives_pk' })
  month: string;

  @Column('bigint')
  entries: string;

  @Column('bigint')
  bytes: string;

  /** Of the file, hex. */
  @Column('text')
  sha256: string;

  /** Of this archive and all before it, hex. */
  @Column('text', { name: 'chain_hash' })
  chainHash: string;

  @Column('timestamp with time zone', { name: 'archived_at', precision: 3 })
  archivedAt: Date;
}
