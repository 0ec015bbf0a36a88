import { type ImportReport } from '@app/contracts';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

const primaryKeyConstraintName = 'import_chunks_pk';

/** The report of a chunk: the answer when the same chunk is sent again. */
@Entity('import_chunks')
export class ImportChunk {
  @PrimaryColumn('uuid', { name: 'import_id', primaryKeyConstraintName })
  @ForeignKey('imports', { name: 'import_chunks_import_fk', onDelete: 'CASCADE' })
  importId: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName })
  seq: number;

  @Column('jsonb')
  report: ImportReport;
}
