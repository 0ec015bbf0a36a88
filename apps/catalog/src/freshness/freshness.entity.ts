import { safeInteger } from '#platform/database';
import { type FreshnessDimension } from '#contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How old the data of a platform or a country is: the last result, replaced as a whole. */
@Entity('creator_freshness')
export class FreshnessRow {
  @PrimaryColumn('text', { primaryKeyConstraintName: 'creator_freshness_pk' })
  dimension: FreshnessDimension;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'creator_freshness_pk' })
  value: string;

  @Column('bigint', { transformer: safeInteger })
  creators: number;

  @Column('integer', { name: 'median_days' })
  medianDays: number;

  @Column('integer', { name: 'p90_days' })
  p90Days: number;

  @Column('integer', { name: 'oldest_days' })
  oldestDays: number;

  @Column('bigint', { name: 'older_than_30', transformer: safeInteger })
  olderThan30: number;

  @Column('bigint', { name: 'older_than_90', transformer: safeInteger })
  olderThan90: number;

  @Column('bigint', { name: 'older_than_365', transformer: safeInteger })
  olderThan365: number;

  @Column('timestamp with time zone', { name: 'computed_at', precision: 3 })
  computedAt: Date;
}
