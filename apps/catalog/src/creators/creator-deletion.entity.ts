import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A deleted creator, for followers of the revisions. */
@Entity('creator_deletions')
@Index('creator_deletions_by_revision', ['revision'])
export class CreatorDeletion {
  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'creator_deletions_pk' })
  slug: string;

  @Column('bigint')
  revision: string;

  @Column('timestamp with time zone', {
    name: 'deleted_at',
    precision: 3,
    default: () => 'clock_timestamp()',
  })
  deletedAt: Date;
}
