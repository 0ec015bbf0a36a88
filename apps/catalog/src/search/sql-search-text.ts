import { type SearchCriteria, type SearchPosition } from '#creator-index';
import { storedFields } from '../creators/creator-row.js';

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

/** How many creators match; several servers count each for its own. */
export function countStatement(criteria: SearchCriteria): BoundStatement {
  const parameters: unknown[] = [];
  const conditions = conditionsOf(criteria, (value) => `$${parameters.push(value)}`).join(' AND ');
  return { sql: `SELECT count(*)::integer AS total FROM creators WHERE ${conditions}`, parameters };
}

/**
 * Hand-written: the text depends on the filters used, each served by an index of `searchIndexNames`. A page, and one row more if
 * there is another page. Of frequent matches it is read in the order of `creators_newest`, on each of several servers; rare ones
 * are found by their filters, then sorted.
 */
export function searchStatement(criteria: SearchCriteria, isFrequent: boolean): BoundStatement {
  const parameters: unknown[] = [];
  const bind: Bind = (value) => `$${parameters.push(value)}`;
  const conditions = conditionsOf(criteria, bind);
  if (criteria.after !== undefined) conditions.push(isAfter(criteria.after, bind));
  const sql = `
    WITH page AS (
      SELECT slug, newest_updated_at FROM creators WHERE ${conditions.join(' AND ')}
      ${isFrequent ? inOrder : inNoIndexedOrder} LIMIT ${bind(criteria.limit + 1)}
    )
    SELECT page.newest_updated_at, ${storedColumns} FROM page JOIN creators USING (slug)
    ORDER BY page.newest_updated_at DESC NULLS LAST, slug`;
  return { sql, parameters };
}

/** The rows after a position in the order of a search. */
function isAfter({ updatedAt, slug }: SearchPosition, bind: Bind): string {
  if (!Number.isFinite(updatedAt)) return `newest_updated_at IS NULL AND slug > ${bind(slug)}`;
  const time = `${bind(new Date(updatedAt))}::timestamptz`;
  return `(newest_updated_at < ${time} OR newest_updated_at = ${time} AND slug > ${bind(slug)}
           OR newest_updated_at IS NULL)`;
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
