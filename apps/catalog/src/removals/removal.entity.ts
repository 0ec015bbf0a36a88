import { type Deleted } from '#contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

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
