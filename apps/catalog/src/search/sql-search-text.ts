import { type SearchCriteria, type SearchPosition } from '#creator-index';
import { storedFields } from '../creators/creator-row.js';
import { type KnownTotal } from './known-totals.js';

/** A statement and the values that are bound in it. */
export interface BoundStatement {
  readonly sql: string;
  readonly parameters: unknown[];
}

export type Bind = (value: unknown) => string;

const storedColumns = Object.keys(storedFields)
  .map((column) => `creators.${column}`)
  .join(', ');

const inOrder = 'ORDER BY newest_updated_at DESC NULLS LAST, slug';
/** Keeps PostgreSQL from reading all creators in the order of a search where it expects more matches than there are. */
const inNoIndexedOrder = "ORDER BY coalesce(newest_updated_at, '-infinity') DESC, slug";

/** With each row of the page, and without a page too: the total. */
const found = `
  LEFT JOIN (
    SELECT page.newest_updated_at, ${storedColumns} FROM page JOIN creators USING (slug)
  ) AS found ON true
  ORDER BY found.newest_updated_at DESC NULLS LAST, found.slug`;

/**
 * Hand-written: the text depends on the filters used, each served by an index of `searchIndexNames`. One statement, hence one
 * snapshot: the total and the page can't contradict each other, and a total that is known for the state of this snapshot is right.
 * PostgreSQL evaluates only what is needed of it:
 *
 * - When many creators match, a page is found among the newest ones (`creators_newest`); they are then only counted, in
 *   parallel and where possible from an index alone.
 * - Else the matches are found once (`matching`), for the total and the page.
 */
export function searchStatement(
  criteria: SearchCriteria,
  known: KnownTotal | undefined,
  newestTried: number,
): BoundStatement {
  const parameters: unknown[] = [];
  const bind: Bind = (value) => `$${parameters.push(value)}`;
  const conditions = conditionsOf(criteria, bind).join(' AND ');
  // One row more than the page shows whether there is another page.
  const rows = bind(criteria.limit + 1);
  const { after } = criteria;
  const sql = `
    WITH state AS MATERIALIZED (
      SELECT catalog_id, revision,
        catalog_id = ${bind(known?.state.catalogId)}::uuid AND revision = ${bind(known?.state.revision)}::bigint AS is_known
      FROM catalog_state
    ), newest AS MATERIALIZED (
      SELECT slug, newest_updated_at FROM (
        SELECT * FROM creators WHERE published ${after === undefined ? '' : `AND ${isNext(after, bind)}`}
        ${inOrder} LIMIT ${bind(newestTried)}
      ) AS creators WHERE ${conditions} ${inOrder} LIMIT ${rows}
    ), tried AS MATERIALIZED (
      SELECT count(*) = ${rows} AS is_page FROM newest
    ), matching AS MATERIALIZED (
      SELECT slug, newest_updated_at FROM creators WHERE ${conditions}
    ), page AS (
      SELECT slug, newest_updated_at FROM newest WHERE (SELECT is_page FROM tried)
      UNION ALL (
        SELECT slug, newest_updated_at FROM matching
        WHERE NOT (SELECT is_page FROM tried) ${after === undefined ? '' : `AND (${isAfter(after, bind)})`}
        ${inNoIndexedOrder} LIMIT ${rows}
      )
    ), matched AS (
      SELECT (CASE
        WHEN (SELECT is_known FROM state) THEN ${bind(known?.total)}::bigint
        WHEN (SELECT is_page FROM tried) THEN (SELECT count(*) FROM creators WHERE ${conditions})
        ELSE (SELECT count(*) FROM matching)
      END)::integer AS total
    )
    SELECT matched.total, state.catalog_id, state.revision::float8 AS revision, found.*
    FROM matched CROSS JOIN state ${found}`;
  return { sql, parameters };
}

/** How many creators match, counted by each of several servers for its own. */
export function countStatement(criteria: SearchCriteria): BoundStatement {
  const parameters: unknown[] = [];
  const conditions = conditionsOf(criteria, (value) => `$${parameters.push(value)}`).join(' AND ');
  return { sql: `SELECT count(*)::integer AS total FROM creators WHERE ${conditions}`, parameters };
}

/**
 * Hand-written, as above, for creators distributed over several servers, whose matches were counted before: they must not be
 * collected in one place, so each server sends its first ones, of frequent matches in the order of its index.
 */
export function distributedSearchStatement(
  criteria: SearchCriteria,
  total: number,
  frequentMatches: number,
): BoundStatement {
  const parameters: unknown[] = [];
  const bind: Bind = (value) => `$${parameters.push(value)}`;
  const conditions = conditionsOf(criteria, bind);
  if (criteria.after !== undefined) conditions.push(`(${isAfter(criteria.after, bind)})`);
  const sql = `
    WITH page AS (
      SELECT slug, newest_updated_at FROM creators WHERE ${conditions.join(' AND ')}
      ${total >= frequentMatches ? inOrder : inNoIndexedOrder} LIMIT ${bind(criteria.limit + 1)}
    )
    SELECT matched.total, found.* FROM (SELECT ${bind(total)}::integer AS total) AS matched ${found}`;
  return { sql, parameters };
}

/** The rows after a position in the order of a search. */
function isAfter({ updatedAt, slug }: SearchPosition, bind: Bind): string {
  if (!Number.isFinite(updatedAt)) return isNext({ updatedAt, slug }, bind);
  const time = `${bind(new Date(updatedAt))}::timestamptz`;
  return `newest_updated_at < ${time} OR newest_updated_at = ${time} AND slug > ${bind(slug)}
           OR newest_updated_at IS NULL`;
}

/** The same as a range of the index: without those that have no time, where the position has one. */
function isNext({ updatedAt, slug }: SearchPosition, bind: Bind): string {
  if (!Number.isFinite(updatedAt)) return `newest_updated_at IS NULL AND slug > ${bind(slug)}`;
  const time = `${bind(new Date(updatedAt))}::timestamptz`;
  return `newest_updated_at <= ${time} AND (newest_updated_at < ${time} OR slug > ${bind(slug)})`;
}

/** The filters of a search as SQL; every value is bound. Column names come from the platforms' fixed list. */
export function conditionsOf(criteria: SearchCriteria, bind: Bind): string[] {
  const { words, slug, country, category, language, platform, minFollowers, maxFollowers } = criteria;
  const followers = platform === undefined ? 'total_reach' : `${platform}_followers`;
  return [
    'published',
    ...words.map((word) => `search_text LIKE ${bind(`%${escapeLike(word)}%`)}`),
    ...(slug === undefined ? [] : [`slug = ${bind(slug)}`]),
    ...(country === undefined ? [] : [`folded_country = ${bind(country)}`]),
    ...(category === undefined ? [] : [`folded_categories @> ARRAY[${bind(category)}]::text[]`]),
    ...(language === undefined ? [] : [`folded_languages @> ARRAY[${bind(language)}]::text[]`]),
    ...(platform === undefined ? [] : [`${followers} IS NOT NULL`]),
    ...(minFollowers === undefined ? [] : [`${followers} >= ${bind(minFollowers)}::bigint`]),
    ...(maxFollowers === undefined ? [] : [`${followers} <= ${bind(maxFollowers)}::bigint`]),
  ];
}

/** Escapes `%`, `_` and `\`, so that they match only themselves. */
function escapeLike(word: string): string {
  return word.replace(/[\\%_]/g, '\\$&');
}
