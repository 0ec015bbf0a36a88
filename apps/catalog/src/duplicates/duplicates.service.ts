import { type Duplicate, type DuplicateReason, duplicatesMax, type Page, platforms } from '#contracts';
import { type Transaction, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';

/** Less than its caller waits. */
const limits = { statementTimeoutMs: 50_000, answerTimeoutMs: 55_000 };

const name = 'split_part(search_text, chr(10), 1)';
const site = "rtrim(replace(split_part(lower(website), '//', 2), 'www.', ''), '/')";
/** Name and handle as a number, which is grouped faster than texts. */
const nameAndHandle = `hashtextextended(${name} || chr(10) || substr(key, strpos(key, '/')), 0)`;
/** Keeps groups of several creators, of at most so many rows, after the cursor, whose first slug is the least. */
const several = (rowsMax: number) =>
  `HAVING min(slug) < max(slug) AND count(*) <= ${rowsMax} AND min(slug) >= coalesce(($1::text[])[1], '')`;

/**
 * Hand-written: reads all creators once for each thing that they may have in common, and groups them by it. An account
 * belongs to one creator, so those with one handle have it on different platforms.
 */
const duplicatesSql = `
  WITH found (reason, slugs) AS (
    SELECT 'name and country', array_agg(slug) FROM creators GROUP BY ${name}, folded_country
    ${several(duplicatesMax)}
    UNION ALL
    SELECT 'website', array_agg(slug) FROM creators WHERE website IS NOT NULL
    GROUP BY ${site} ${several(duplicatesMax)}
    UNION ALL
    SELECT 'name and handle', array_agg(slug)
    FROM creators CROSS JOIN LATERAL unnest(account_keys) AS own (key) GROUP BY ${nameAndHandle}
    ${several(duplicatesMax * platforms.length)}
  ), in_order AS MATERIALIZED (
    SELECT reason, ARRAY(SELECT DISTINCT unnest(slugs) ORDER BY 1) AS slugs FROM found
  )
  SELECT slugs, array_agg(reason ORDER BY reason) AS same
  FROM in_order WHERE cardinality(slugs) <= ${duplicatesMax} AND slugs > $1::text[]
  GROUP BY slugs ORDER BY slugs LIMIT $2`;

/** Hand-written: set-based, through `creators_pk`. */
const namesSql = 'SELECT slug, name FROM creators WHERE slug = ANY($1)';

/** Finds creators who are probably one. Only proposes: whether they are, a person has to see. */
@Injectable()
export class DuplicatesService {
  constructor(private readonly transactions: TransactionRunner) {}

  /** By their slugs, after those of the cursor. */
  list(limit: number, cursor = ''): Promise<Page<Duplicate>> {
    const read = async ({ query }: Transaction): Promise<Page<Duplicate>> => {
      const after = cursor === '' ? [] : cursor.split(',');
      const found = await query<{ slugs: string[]; same: DuplicateReason[] }>(
        'find duplicates',
        duplicatesSql,
        [after, limit],
      );
      const all = found.flatMap(({ slugs }) => slugs);
      const rows = await query<{ slug: string; name: string }>('read names', namesSql, [all]);
      const names = new Map(rows.map((row) => [row.slug, row.name]));
      const items = found.map(({ slugs, same }) => ({
        slugs,
        names: slugs.map((slug) => names.get(slug) ?? '-'),
        same,
      }));
      return { items, next_cursor: items.length < limit ? null : (found.at(-1)?.slugs.join() ?? null) };
    };
    return this.transactions.run(read, { readOnly: true, ...limits });
  }
}
