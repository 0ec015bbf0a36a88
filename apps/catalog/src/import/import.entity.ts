import { type ImportMode, type ImportReport } from '#contracts';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { type StoredCreator } from '../creators/creator-row.js';

/** An import, running or over. */
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

  @Column('timestamp with time zone', {
    name: 'started_at',
    precision: 3,
    default: () => 'clock_timestamp()',
  })
  startedAt: Date;

  @Column('timestamp with time zone', { name: 'finished_at', precision: 3, nullable: true })
  finishedAt: Date | null;

  @Column('timestamp with time zone', { name: 'undone_at', precision: 3, nullable: true })
  undoneAt: Date | null;

  @Column('boolean', { name: 'is_dry_run', default: false })
  isDryRun: boolean;

  @Column('text', { nullable: true })
  source: string | null;

  @Column('text', { nullable: true })
  file: string | null;

  @Column('text', { nullable: true })
  operator: string | null;

  @Column('text', { default: 'replace' })
  mode: ImportMode;

  @Column('integer', { default: 0 })
  received: number;

  @Column('integer', { default: 0 })
  created: number;

  @Column('integer', { default: 0 })
  updated: number;

  @Column('integer', { default: 0 })
  unchanged: number;

  @Column('integer', { default: 0 })
  removed: number;

  @Column('integer', { default: 0 })
  rejected: number;
}

/** What a chunk made of a creator, and what it was before. */
@Entity('import_changes')
export class ImportChange {
  @PrimaryColumn('uuid', { name: 'import_id', primaryKeyConstraintName: 'import_changes_pk' })
  importId: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'import_changes_pk' })
  seq: number;

  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'import_changes_pk' })
  slug: string;

  /** `null`: the creator was new. */
  @Column('json', { nullable: true })
  before: StoredCreator | null;

  @Column('text', { name: 'after_hash' })
  afterHash: string;
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
