import { type Deleted, type KeptOut } from '#contracts';
import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** A creator who was removed at their request; without their name, slug or handles. */
@Entity('removals')
export class RemovalEntity {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'removals_pk' })
  id: string;

  @Column('timestamp with time zone', {
    name: 'removed_at',
    precision: 3,
    default: () => 'clock_timestamp()',
  })
  removedAt: Date;

  @Column('text')
  reference: string;

  @Column('text', { nullable: true })
  note: string | null;

  @Column('jsonb')
  deleted: Deleted;
}

/** A slug, or a name of an account, that keeps a removed creator out: as a keyed hash. */
@Entity('removal_keys')
export class RemovalKeyEntity {
  @PrimaryColumn('bytea', { primaryKeyConstraintName: 'removal_keys_pk' })
  hash: Buffer;

  @PrimaryColumn('uuid', { name: 'removal_id', primaryKeyConstraintName: 'removal_keys_pk' })
  @ForeignKey('removals', { name: 'removal_keys_removal_fk', onDelete: 'CASCADE' })
  removalId: string;

  @Column('text')
  kind: KeptOut['by'];
}
