import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An import under way; forgotten when it is finished. */
@Entity('imports')
@Index('imports_age', ['touchedAt'])
export class Import {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'imports_pk' })
  id: string;

  /** The chunk whose turn it is. */
  @Column('integer', { name: 'next_seq', default: 0 })
  nextSeq: number;

  @Column('timestamp with time zone', {
    name: 'touched_at',
    precision: 3,
    default: () => 'clock_timestamp()',
  })
  touchedAt: Date;
}
