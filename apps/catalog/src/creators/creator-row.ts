import { hash } from 'node:crypto';
import { countryKey, foldText, languageKey, platforms, textVersion } from '#contracts/threads';
import { keysOfAccounts } from '../lookup/creator-account.js';
import { type Creator, type GivenCreator, categoryKey, newestUpdate, totalReach } from './creator.js';

/** The stored fields of a creator that reads need. */
export interface StoredCreator extends Creator {
  readonly published: boolean;
}

const fields: Readonly<Record<keyof Creator, true>> = {
  slug: true,
  name: true,
  tagline: true,
  country: true,
  languages: true,
  verified: true,
  website: true,
  categories: true,
  platforms: true,
};

/** The fields of a record, in the order of their columns, which have the same names. */
export const creatorFields = Object.keys(fields) as readonly (keyof Creator)[];

/** The fields that `StoredCreator` consists of. */
export const storedFields: Readonly<Record<keyof StoredCreator, true>> = { ...fields, published: true };

/** The columns for searching, and how each follows from a record. */
const derivedColumns: Readonly<Record<string, (creator: Creator) => CopyValue>> = {
  total_reach: totalReach,
  newest_updated_at: newestUpdate,
  ...Object.fromEntries(
    platforms.map((platform) => [
      `${platform}_followers`,
      (creator: Creator) =>
        creator.platforms.find((account) => account.platform === platform)?.followers ?? null,
    ]),
  ),
  folded_country: ({ country }) => countryKey(country),
  folded_languages: ({ languages }) => languages.map(languageKey),
  folded_categories: ({ categories }) => categories.map(categoryKey),
  search_text: searchText,
  account_keys: (creator) => keysOfAccounts(creator.platforms),
};

/** The columns that follow only from a record, in the order of `copyRecord`. */
export const rowColumns: readonly string[] = [
  ...creatorFields,
  ...Object.keys(derivedColumns),
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
  const given = creatorFields.map((name) =>
    name === 'platforms' ? JSON.stringify(creator.platforms) : creator[name],
  );
  const derived = Object.values(derivedColumns).map((derive) => derive(creator));
  const content = copyFields([...given, ...derived]);
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
type CopyValue = string | number | boolean | null | readonly string[];

/** Values of a row in the text format of COPY; a row ends with a line feed. */
function copyFields(values: readonly CopyValue[]): string {
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
