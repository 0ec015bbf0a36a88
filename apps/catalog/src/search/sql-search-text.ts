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

/** What a search is sorted by, largest first: a column, and what is less than all of its values. */
function sortOf({ sort, platform }: SearchCriteria): { readonly column: string; readonly least: string } {
  if (sort === undefined) return { column: 'newest_updated_at', least: "'-infinity'" };
  return { column: followersOf(sort === 'reach' ? undefined : platform), least: '-1' };
}

function followersOf(platform: string | undefined): string {
  return platform === undefined ? 'total_reach' : `${platform}_followers`;
}

/** How many creators match; several servers count each for its own. */
export function countStatement(criteria: SearchCriteria): BoundStatement {
  const parameters: unknown[] = [];
  const conditions = conditionsOf(criteria, (value) => `$${parameters.push(value)}`).join(' AND ');
  return { sql: `SELECT count(*)::integer AS total FROM creators WHERE ${conditions}`, parameters };
}

/**
 * Hand-written: the text depends on the filters used, each served by an index of `searchIndexNames`. A page, and one row more if
 * there is another page. Of frequent matches it is read in the order of an index, on each of several servers; rare ones are found
 * by their filters, then sorted: `coalesce` keeps PostgreSQL from reading all creators in the order of the index where it expects
 * more matches than there are.
 */
export function searchStatement(criteria: SearchCriteria, isFrequent: boolean): BoundStatement {
  const parameters: unknown[] = [];
  const bind: Bind = (value) => `$${parameters.push(value)}`;
  const conditions = conditionsOf(criteria, bind);
  const { column, least } = sortOf(criteria);
  if (criteria.after !== undefined) conditions.push(isAfter(criteria, criteria.after, bind));
  const sql = `
    WITH page AS (
      SELECT slug, ${column} AS value FROM creators WHERE ${conditions.join(' AND ')}
      ORDER BY ${isFrequent ? `${column} DESC NULLS LAST` : `coalesce(${column}, ${least}) DESC`}, slug
      LIMIT ${bind(criteria.limit + 1)}
    )
    SELECT page.value, ${storedColumns} FROM page JOIN creators USING (slug)
    ORDER BY page.value DESC NULLS LAST, slug`;
  return { sql, parameters };
}

/** The rows after a position in the order of a search. A creator without a number of followers is not found by them. */
function isAfter(criteria: SearchCriteria, { value, slug }: SearchPosition, bind: Bind): string {
  if (criteria.sort !== undefined) {
    const { column } = sortOf(criteria);
    const count = `${bind(value)}::bigint`;
    return `${column} <= ${count} AND (${column} < ${count} OR slug > ${bind(slug)})`;
  }
  if (!Number.isFinite(value)) return `newest_updated_at IS NULL AND slug > ${bind(slug)}`;
  const time = `${bind(new Date(value))}::timestamptz`;
  return `(newest_updated_at < ${time} OR newest_updated_at = ${time} AND slug > ${bind(slug)}
           OR newest_updated_at IS NULL)`;
}

/** The filters of a search as SQL; every value is bound. Column names come from the platforms' fixed list. */
export function conditionsOf(criteria: SearchCriteria, bind: Bind): string[] {
  const { words, slug, country, category, language, platform, minFollowers, maxFollowers } = criteria;
  const followers = followersOf(platform);
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
