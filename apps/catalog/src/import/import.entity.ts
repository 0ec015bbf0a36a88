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

/** A slug claimed by a line of an import: the first line with a slug wins. */
@Entity('import_slugs')
export class ImportSlug {
  @PrimaryColumn('uuid', { name: 'import_id', primaryKeyConstraintName: 'import_slugs_pk' })
  importId: string;

  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'import_slugs_pk' })
  slug: string;

  @Column('integer')
  line: number;
}
