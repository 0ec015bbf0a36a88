import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A partition of the ledger that is a file: nothing reads its rows in the database any longer. */
@Entity('ledger_archives')
export class LedgerArchive {
  /** That of the partition; the file is called after it. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'ledger_archives_pk' })
  name: string;

  @Column('text')
  parent: string;

  /** All of its rows are from before this instant, which begins a month. */
  @Column('timestamp with time zone', { precision: 3 })
  ends: Date;

  @Column('bigint')
  rows: string;

  @Column('bigint')
  bytes: string;

  /** Of the file, hex. */
  @Column('text')
  sha256: string;

  @Column('timestamp with time zone', { name: 'archived_at', precision: 3 })
  archivedAt: Date;
}
