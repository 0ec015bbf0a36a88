import { type Freshness, type FreshnessDimension } from '#contracts';
import { type Managed, type Transaction } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { FreshnessRow } from './freshness.entity.js';

/** Any number that no other advisory lock of this database has. */
const lock = 42;

/** Countries are given by imports: the table has those with most creators. */
const rowsMax = 1_000;

/** The age in whole days of each published creator's account on each platform. */
const accountsSql = `
  SELECT account ->> 'platform' AS value, account ->> 'platform' AS name,
    greatest(0, floor(extract(epoch FROM $2::timestamptz - (account ->> 'updated_at')::timestamptz) / 86400))::integer AS age
  FROM creators CROSS JOIN LATERAL jsonb_array_elements(platforms) AS account
  WHERE published`;

/** The age in whole days of each published creator's newest data; countries as they are compared, without accents or case. */
const creatorsSql = `
  SELECT folded_country AS value, country AS name,
    greatest(0, floor(extract(epoch FROM $2::timestamptz - newest_updated_at) / 86400))::integer AS age
  FROM creators WHERE published AND newest_updated_at IS NOT NULL`;

/**
 * Hand-written: reads the whole table once and counts the creators of each age, so that nothing large is sorted. The median is the
 * least age that at least half of them don't exceed.
 */
const computeSql = (ages: string) => `
  WITH counted AS (
    SELECT value, min(name) AS name, age, count(*) AS creators FROM (${ages}) AS aged GROUP BY value, age
  ), summed AS (
    SELECT value, name, age, creators, sum(creators) OVER (PARTITION BY value) AS total,
      sum(creators) OVER (PARTITION BY value ORDER BY age) AS up_to
    FROM counted
  )
  INSERT INTO creator_freshness (dimension, value, creators, median_days, p90_days, oldest_days,
    older_than_30, older_than_90, older_than_365, computed_at)
  SELECT $1, min(name), sum(creators), min(age) FILTER (WHERE up_to >= 0.5 * total),
    min(age) FILTER (WHERE up_to >= 0.9 * total), max(age),
    coalesce(sum(creators) FILTER (WHERE age > 30), 0), coalesce(sum(creators) FILTER (WHERE age > 90), 0),
    coalesce(sum(creators) FILTER (WHERE age > 365), 0), $2::timestamptz
  FROM summed GROUP BY value ORDER BY sum(creators) DESC, value LIMIT ${rowsMax}`;

/** How old the data is, as it was last computed. */
@Injectable()
export class FreshnessRepository {
  /** Replaces all rows, unless another replica is at it; reads the whole table of creators twice. */
  async compute({ manager, query }: Transaction, now: Date): Promise<void> {
    const [row] = await query<{ locked: boolean }>(
      'lock freshness',
      'SELECT pg_try_advisory_xact_lock($1) AS locked',
      [lock],
    );
    if (!row?.locked) return;
    await manager.createQueryBuilder().delete().from(FreshnessRow).execute();
    await query('compute freshness of platforms', computeSql(accountsSql), ['platform', now]);
    await query('compute freshness of countries', computeSql(creatorsSql), ['country', now]);
  }

  find({ manager }: Managed, dimension: FreshnessDimension): Promise<FreshnessRow[]> {
    return manager.find(FreshnessRow, { where: { dimension }, order: { creators: 'DESC', value: 'ASC' } });
  }
}

/** A row as the admin API shows it: shares in place of counts. */
export function toFreshness(row: FreshnessRow): Freshness {
  const share = (count: number): number => Math.round((count / row.creators) * 10_000) / 10_000;
  return {
    value: row.value,
    creators: row.creators,
    median_days: row.medianDays,
    p90_days: row.p90Days,
    oldest_days: row.oldestDays,
    older_than_30: share(row.olderThan30),
    older_than_90: share(row.olderThan90),
    older_than_365: share(row.olderThan365),
  };
}
