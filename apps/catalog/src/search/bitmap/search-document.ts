import { platforms } from '@app/contracts';
import { type PlatformAccount } from '../../creators/creator.js';
import { writeRecord } from './record.js';

/** What the index keeps of a published creator. */
export interface SearchDocument {
  readonly slug: string;
  /** Its entry in a search result, in the short form of `record.ts`. */
  readonly record: string;
  /** Folded name and folded handles, a line each. */
  readonly text: string;
  /** Newest `updated_at` in ms since 1970; `-Infinity` without platforms. */
  readonly updatedAt: number;
  readonly country: string;
  readonly categories: readonly string[];
  readonly languages: readonly string[];
  /** By the columns of `columnOf`; `null` without an account there. */
  readonly followers: readonly (number | null)[];
}

/** The columns by which followers are searched: the total reach, then each platform. */
export const columnCount = 1 + platforms.length;

export function columnOf(platform: string | undefined): number {
  return platform === undefined ? 0 : 1 + platforms.findIndex((name) => name === platform);
}

/** A row of `creators` as the index reads it; texts that end in `_json` are JSON. */
export interface IndexedRow {
  readonly slug: string;
  readonly name: string;
  readonly country: string;
  readonly platforms_json: string;
  readonly total_reach: string;
  readonly newest_ms: number | null;
  readonly folded_country: string;
  readonly folded_languages_json: string;
  readonly folded_categories_json: string;
  readonly search_text: string;
}

/** The columns of `creators` that make an `IndexedRow`. */
export const indexedColumns = `slug, name, country, platforms::text AS platforms_json, total_reach,
  (extract(epoch FROM newest_updated_at) * 1000)::float8 AS newest_ms, folded_country,
  array_to_json(folded_languages)::text AS folded_languages_json,
  array_to_json(folded_categories)::text AS folded_categories_json, search_text`;

export function toDocument(row: IndexedRow): SearchDocument {
  const accounts = JSON.parse(row.platforms_json) as PlatformAccount[];
  const reach = Number(row.total_reach);
  const followers: (number | null)[] = Array<number | null>(columnCount).fill(null);
  followers[0] = reach;
  for (const account of accounts) followers[columnOf(account.platform)] = account.followers;
  return {
    slug: row.slug,
    record: writeRecord({ slug: row.slug, name: row.name, country: row.country, reach, accounts }),
    text: row.search_text,
    updatedAt: row.newest_ms ?? -Infinity,
    country: row.folded_country,
    categories: JSON.parse(row.folded_categories_json) as string[],
    languages: JSON.parse(row.folded_languages_json) as string[],
    followers,
  };
}

/** The order of a search (design 5): newest first, without platforms last, then by the bytes of the slug. */
export function compareDocuments(
  one: Pick<SearchDocument, 'updatedAt' | 'slug'>,
  other: Pick<SearchDocument, 'updatedAt' | 'slug'>,
): number {
  if (one.updatedAt !== other.updatedAt) return one.updatedAt > other.updatedAt ? -1 : 1;
  return one.slug < other.slug ? -1 : one.slug > other.slug ? 1 : 0;
}
