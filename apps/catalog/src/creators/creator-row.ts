import { hash } from 'node:crypto';
import { countryKey, foldText, languageKey, platforms, textVersion } from '#contracts/threads';
import { keysOfAccounts } from '../lookup/keys-of-account.js';
import { type Creator, type GivenCreator, categoryKey, newestUpdate, totalReach } from './creator.js';

/** The stored fields of a creator that reads need. */
export interface StoredCreator extends Creator {
  readonly published: boolean;
}

/** The fields of `creators` that `StoredCreator` consists of; their columns have the same names. */
export const storedFields: Record<keyof StoredCreator, true> = {
  slug: true,
  name: true,
  tagline: true,
  country: true,
  languages: true,
  verified: true,
  website: true,
  categories: true,
  published: true,
  platforms: true,
};

/** The columns derived only from a record, in the order of `copyRecord`. */
export const rowColumns: readonly string[] = [
  'slug',
  'name',
  'tagline',
  'country',
  'languages',
  'verified',
  'website',
  'categories',
  'platforms',
  'total_reach',
  'newest_updated_at',
  ...platforms.map((platform) => `${platform}_followers`),
  'folded_country',
  'folded_languages',
  'folded_categories',
  'search_text',
  'account_keys',
  'content_hash',
  'text_version',
];

/** What an INSERT of `rowColumns` sets in the row that it finds under its slug. */
export const replaceRow = rowColumns
  .filter((name) => name !== 'slug')
  .map((name) => `${name} = excluded.${name}`)
  .join(', ');

/** The values of `rowColumns` for COPY, without the line's end. */
function copyRecord(creator: Creator): string {
  const followers = platforms.map(
    (platform) => creator.platforms.find((account) => account.platform === platform)?.followers ?? null,
  );
  const content = copyFields([
    creator.slug,
    creator.name,
    creator.tagline,
    creator.country,
    creator.languages,
    creator.verified,
    creator.website,
    creator.categories,
    JSON.stringify(creator.platforms),
    totalReach(creator),
    newestUpdate(creator),
    ...followers,
    countryKey(creator.country),
    creator.languages.map(languageKey),
    creator.categories.map(categoryKey),
    searchText(creator),
    keysOfAccounts(creator.platforms),
  ]);
  return `${content}\t${contentHash(content)}\t${textVersion}`;
}

/**
 * A record's row of the staging table, with everything computed that needs no database. Without `published`, a known
 * creator keeps its flag and a new one is published.
 */
export function stagedRow(record: GivenCreator, line: number): string {
  return `${copyRecord(record)}\t${copyFields([record.published, line])}\n`;
}

/** The folded name and handles, one per line. */
export function searchText({ name, platforms: accounts }: Pick<Creator, 'name' | 'platforms'>): string {
  return [name, ...accounts.map(({ handle }) => handle)].map(foldText).join('\n');
}

/**
 * Detects a changed record, also one whose columns are derived differently than before; `published` is compared
 * separately.
 */
function contentHash(content: string): string {
  return hash('sha256', content, 'base64url');
}

/** A value of a row for COPY; a list is an array of strings. */
export type CopyValue = string | number | boolean | null | readonly string[];

/** Values of a row in the text format of COPY; a row ends with a line feed. */
export function copyFields(values: readonly CopyValue[]): string {
  return values.map(copyField).join('\t');
}

function copyField(value: CopyValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'object') return escaped(arrayLiteral(value));
  return String(value);
}

const special = /[\\\t\n\r]/;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function escaped(text: string): string {
  return special.test(text) ? text.replace(/[\\\t\n\r]/g, (sign) => escapes[sign] ?? sign) : text;
}

/** Every element is quoted, so that none is read as NULL or as array syntax. */
function arrayLiteral(elements: readonly string[]): string {
  return `{${elements.map((element) => `"${element.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
