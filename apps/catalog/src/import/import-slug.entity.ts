import { Column, Entity, PrimaryColumn } from 'typeorm';

const primaryKeyConstraintName = 'import_slugs_pk';

/** A slug that a line of an import has claimed: of several lines with it the first one counts. */
@Entity('import_slugs')
export class ImportSlug {
  @PrimaryColumn('uuid', { name: 'import_id', primaryKeyConstraintName })
  importId: string;

  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName })
  slug: string;

  @Column('integer')
  line: number;
}
