import { type ImportReport } from '#contracts';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A running import; deleted when it is finished. */
@Entity('imports')
export class Import {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'imports_pk' })
  id: string;

  /** The next chunk to be stored. */
  @Column('integer', { name: 'next_seq', default: 0 })
  nextSeq: number;

  @Column('timestamp with time zone', {
    name: 'touched_at',
    precision: 3,
    default: () => 'clock_timestamp()',
  })
  touchedAt: Date;
}

/** The report of a chunk: the answer when the same chunk is sent again. */
@Entity('import_chunks')
export class ImportChunk {
  @PrimaryColumn('uuid', { name: 'import_id', primaryKeyConstraintName: 'import_chunks_pk' })
  @ForeignKey('imports', { name: 'import_chunks_import_fk', onDelete: 'CASCADE' })
  importId: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'import_chunks_pk' })
  seq: number;

  @Column('jsonb')
  report: ImportReport;
}

/** A slug (`slug/ada`) claimed by a line of an import; of a dry run also an account, with the slug of its creator. */
@Entity('import_claims')
export class ImportClaim {
  @PrimaryColumn('uuid', { name: 'import_id', primaryKeyConstraintName: 'import_claims_pk' })
  importId: string;

  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'import_claims_pk' })
  key: string;

  @Column({ type: 'text', collation: 'C', nullable: true })
  slug: string | null;

  @Column('integer')
  line: number;
}
