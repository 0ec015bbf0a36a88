import { Check, Column, Entity, Generated, PrimaryColumn } from 'typeorm';

/** One row. Every writer takes the next revision from it first, so revisions become visible in their order. */
@Entity('catalog_state')
@Check('catalog_state_one_row', 'id')
@Check('catalog_state_forgotten_seen', 'forgotten_revision <= revision')
export class CatalogStateEntity {
  @PrimaryColumn('boolean', { default: true, primaryKeyConstraintName: 'catalog_state_pk' })
  id: boolean;

  /** Changes with a restore, so that an index from before it is not used. */
  @Column('uuid', { name: 'catalog_id' })
  @Generated('uuid')
  catalogId: string;

  @Column('bigint', { default: 0 })
  revision: string;

  /** Deletions up to this revision have been forgotten. */
  @Column('bigint', { name: 'forgotten_revision', default: 0 })
  forgottenRevision: string;
}
