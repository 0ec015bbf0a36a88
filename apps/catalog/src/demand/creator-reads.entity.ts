import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** How often a creator's profile is read. */
@Entity('creator_reads')
export class CreatorReads {
  @PrimaryColumn('text', { collation: 'C', primaryKeyConstraintName: 'creator_reads_pk' })
  @ForeignKey('creators', { name: 'creator_reads_creator_fk', onDelete: 'CASCADE' })
  slug: string;

  /** log2 of the sum of 2^(t / 30 days) over the reads: their order stays the same as all of them fade. */
  @Column('double precision')
  heat: number;

  /** When reads were last counted. */
  @Column('timestamp with time zone', { name: 'read_at', precision: 3 })
  readAt: Date;
}
