import { columnCount, columnOf, type SearchDocument, writeRecord } from '@app/creator-index';
import { type PlatformAccount } from '../../creators/creator.js';
import { keysOfAccounts } from '../../lookup/keys-of-account.js';

/** A row of `creators` as the index reads it; texts that end in `_json` are JSON. */
export interface IndexedRow {
  readonly slug: string;
  readonly name: string;
  readonly country: string;
  readonly platforms_json: string;
  readonly total_reach: string;
  readonly newest_ms: number | null;
  readonly folded_country: string;
  readonly languages_json: string;
  readonly folded_languages_json: string;
  readonly folded_categories_json: string;
  readonly search_text: string;
}

/** The columns of `creators` that make an `IndexedRow`. */
export const indexedColumns = `slug, name, country, platforms::text AS platforms_json, total_reach,
  (extract(epoch FROM newest_updated_at) * 1000)::float8 AS newest_ms, folded_country,
  array_to_json(languages)::text AS languages_json,
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
    countryName: row.country,
    categories: JSON.parse(row.folded_categories_json) as string[],
    languages: JSON.parse(row.folded_languages_json) as string[],
    languageNames: JSON.parse(row.languages_json) as string[],
    followers,
    accountKeys: keysOfAccounts(accounts),
  };
}
