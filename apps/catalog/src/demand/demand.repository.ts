import { countryKey, type RefreshFilters } from '#contracts';
import { type Query, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';
import { CreatorReads } from './creator-reads.entity.js';

/** A read counts half as much after 30 days, which are one unit of `heat`. */
export const halfLifeMs = 30 * 86_400_000;

/**
 * Hand-written: all counts in one statement, in the order of the slugs, so that replicas don't deadlock; through both primary keys.
 * Adds the new reads: 2^heat is a sum, and of two powers the greater one is taken out, so that none is too large for a number.
 * Creators who no longer exist are left out; while one is being deleted, the statement fails and its counts are added later.
 */
const addSql = `
  INSERT INTO creator_reads AS reads (slug, heat, read_at)
  SELECT slug, $3::float8 + ln(read_count) / ln(2::float8), $4::timestamptz
  FROM creators JOIN unnest($1::text[], $2::float8[]) AS counted (slug, read_count) USING (slug) ORDER BY slug
  ON CONFLICT (slug) DO UPDATE SET
    heat = greatest(reads.heat, excluded.heat)
      + ln(1 + power(2, -least(abs(reads.heat - excluded.heat), 1000))) / ln(2::float8),
    read_at = greatest(reads.read_at, excluded.read_at)`;

/** Position of a creator in the list: see `orderedSql`. */
export interface RefreshPosition {
  readonly never_asked: boolean;
  readonly rank: number;
  readonly slug: string;
}

/** When the data of the account on a platform was read. A path, as a query in its place would allow no parallel plan. */
const dataOfPlatform = `
  (jsonb_path_query_first(platforms, '$[*] ? (@.platform == $name).updated_at', jsonb_build_object('name', $2::text)) #>> '{}')::timestamptz`;

/**
 * Hand-written: reads the whole table, as no index serves an order that changes all the time. Those asked for come first, by the
 * product of recent reads and age, as a sum of logarithms; a day is the least age. Then the others, by age. $1 is the moment of the
 * whole list.
 */
const orderedSql = (updatedAt: string) => `
  WITH aged AS (
    SELECT slug, heat IS NULL AS never_asked, heat,
      extract(epoch FROM $1::timestamptz - ${updatedAt})::float8 / 86400 AS age_days
    FROM creators LEFT JOIN creator_reads USING (slug)
    WHERE published AND ($2::text IS NULL OR platforms @> jsonb_build_array(jsonb_build_object('platform', $2::text)))
      AND ($3::text IS NULL OR folded_country = $3) AND newest_updated_at IS NOT NULL
  ), ranked AS (
    SELECT slug, never_asked,
      CASE WHEN never_asked THEN -age_days ELSE -(heat + ln(greatest(age_days, 1)) / ln(2::float8)) END AS rank
    FROM aged WHERE age_days >= $4
  )
  SELECT slug, never_asked, rank FROM ranked
  WHERE $5::text IS NULL OR (never_asked, rank, slug) > ($6::boolean, $7::float8, $5)
  ORDER BY never_asked, rank, slug LIMIT $8`;

/** How often profiles are read, and what follows for the order of a refresh. */
@Injectable()
export class DemandRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  /** Adds reads, of this moment, to those of before; those of creators who no longer exist are dropped. */
  async add(counts: ReadonlyMap<string, number>, at = new Date()): Promise<void> {
    if (counts.size === 0) return;
    const values = [[...counts.keys()], [...counts.values()], at.getTime() / halfLifeMs, at];
    await this.transactions.query('add reads', addSql, values);
  }

  /** Reads by now, each of which counts half as much after 30 days; `null`: none. */
  async recentReads(
    manager: EntityManager,
    slug: string,
    now = new Date(),
  ): Promise<{ reads: number; readAt: Date } | null> {
    const found = await manager.findOneBy(CreatorReads, { slug });
    if (!found) return null;
    return { reads: 2 ** (found.heat - now.getTime() / halfLifeMs), readAt: found.readAt };
  }

  /** The creators to be refreshed after a position, in their order at `now`. */
  order(
    query: Query,
    { platform, country, min_age_days }: RefreshFilters,
    {
      now,
      after,
      limit,
    }: { readonly now: Date; readonly after: RefreshPosition | null; readonly limit: number },
  ): Promise<RefreshPosition[]> {
    const sql = orderedSql(platform === undefined ? 'newest_updated_at' : dataOfPlatform);
    const position = [after?.slug ?? null, after?.never_asked ?? null, after?.rank ?? null];
    const folded = country === undefined ? null : countryKey(country);
    const name = platform === undefined ? 'order for refresh' : 'order for refresh of platform';
    return query(name, sql, [now, platform ?? null, folded, min_age_days ?? -1, ...position, limit]);
  }
}
