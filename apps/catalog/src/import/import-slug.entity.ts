import { Column, Entity, PrimaryColumn } from 'typeorm';

const primaryKeyConstraintName = 'import_slugs_pk';

/** A slug claimed by a line of an import: the first line with a slug wins. */
@Entity('import_slugs')
export class ImportSlug {
  @PrimaryColumn('uuid', { name: 'import_id', primaryKeyConstraintName })
  importId: string;

  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName })
  slug: string;

  @Column('integer')
  line: number;
}
