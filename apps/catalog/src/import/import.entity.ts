import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A running import; deleted when it is finished. */
@Entity('imports')
@Index('imports_age', ['touchedAt'])
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
