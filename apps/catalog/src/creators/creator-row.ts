import { hash } from 'node:crypto';
import { countryKey, foldText, languageKey, platforms, textVersion } from '#contracts/threads';
import { keysOfAccount } from '../lookup/creator-account.js';
import { type AccountKey } from '../lookup/account-key.js';
import { type Creator, type CreatorContent, categoryKey, newestUpdate, totalReach } from './creator.js';

/** The stored fields of a creator that reads need. */
export interface StoredCreator extends Creator {
  readonly published: boolean;
  /** That of the import that last changed it. */
  readonly source: string | null;
}

/** A stored creator, as a record is compared with it; with its content where that is needed. */
export interface KnownCreator extends Partial<Creator> {
  readonly slug: string;
  readonly published: boolean;
  readonly content_hash: string;
  readonly account_keys: readonly AccountKey[];
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

/** The fields of a creator, in the order of their columns, which have the same names. */
export const creatorFields = Object.keys(fields) as readonly (keyof Creator)[];

export const contentFields = creatorFields.filter((name) => name !== 'slug');

/** The fields that `StoredCreator` consists of. */
export const storedFields: Readonly<Record<keyof StoredCreator, true>> = {
  ...fields,
  published: true,
  source: true,
};

/** The columns for searching, and how each follows from a record. */
const derivedColumns: Readonly<Record<string, (creator: CreatorContent) => CopyValue>> = {
  total_reach: totalReach,
  newest_updated_at: newestUpdate,
  ...Object.fromEntries(
    platforms.map((platform) => [
      `${platform}_followers`,
      (creator: CreatorContent) =>
        creator.platforms.find((account) => account.platform === platform)?.followers ?? null,
    ]),
  ),
  folded_country: ({ country }) => countryKey(country),
  folded_languages: ({ languages }) => languages.map(languageKey),
  folded_categories: ({ categories }) => categories.map(categoryKey),
  search_text: searchText,
};

/** The columns that follow only from a record and its slug, in the order of `stagedRow`. */
export const rowColumns: readonly string[] = [
  'slug',
  ...contentFields,
  ...Object.keys(derivedColumns),
  'account_keys',
  'content_hash',
  'text_version',
];

/** What an INSERT of `rowColumns` sets in the row that it finds under its slug. */
export const replaceRow = rowColumns
  .filter((name) => name !== 'slug')
  .map((name) => `${name} = excluded.${name}`)
  .join(', ');

/** A row without its slug: everything computed that needs no database. */
export interface CreatorRow {
  /** The row's columns for COPY. */
  readonly columns: string;
  /** Detects a changed record, also one whose columns are derived differently than before. */
  readonly hash: string;
  readonly keys: readonly AccountKey[];
  /** The follower counts, as `countLines` writes them. */
  readonly counts: string;
}

export function rowOf(creator: CreatorContent): CreatorRow {
  const given = contentFields.map((name) =>
    name === 'platforms' ? JSON.stringify(creator.platforms) : creator[name],
  );
  const derived = Object.values(derivedColumns).map((derive) => derive(creator));
  const named = creator.platforms.map(keysOfAccount);
  const keys = [...new Set(named.flat())];
  const content = [...given, ...derived, keys].map(copyField).join('\t');
  const contentHash = hash('sha256', content, 'base64url');
  return {
    columns: `${content}\t${contentHash}\t${textVersion}`,
    hash: contentHash,
    keys,
    counts: countLines(creator.platforms, named),
  };
}

/** A line for each account: the first of its keys, the day and the number of its last count, with tabs between them. */
export function countLines(
  platforms: Creator['platforms'],
  keys: readonly (readonly AccountKey[])[] = platforms.map(keysOfAccount),
): string {
  const lines = platforms.map(
    ({ updated_at, followers }, at) => `${keys[at]?.[0]}\t${updated_at.slice(0, 10)}\t${followers}\n`,
  );
  return lines.join('');
}

/** A line of the staging table. */
export function stagedRow(slug: string, { columns }: CreatorRow, published: boolean): string {
  return `${slug}\t${columns}\t${published}\n`;
}

/** A line of the table of creators: that of the staging table, with what a new creator has besides. */
export function createdRow(
  slug: string,
  { columns }: CreatorRow,
  published: boolean,
  { revision, source }: { readonly revision: string; readonly source: string | null },
): string {
  return `${slug}\t${columns}\t${published}\t${revision}\t${copyField(source)}\n`;
}

/** Content of a creator as an import of its record gives it: JSON in PostgreSQL has an order of its own, and the hash depends on it. */
export function contentOf(creator: Creator): CreatorContent {
  const content = Object.fromEntries(contentFields.map((name) => [name, creator[name]])) as CreatorContent;
  return {
    ...content,
    platforms: creator.platforms.map(({ platform, handle, url, followers, updated_at }) => {
      return { platform, handle, url, followers, updated_at };
    }),
  };
}

/** The folded name and handles, one per line. */
export function searchText({ name, platforms: accounts }: Pick<Creator, 'name' | 'platforms'>): string {
  return [name, ...accounts.map(({ handle }) => handle)].map(foldText).join('\n');
}

/** A list is an array of strings. */
type CopyValue = string | number | boolean | null | readonly string[];

/** A value in the text format of COPY. */
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
  if (elements.length === 0) return '{}';
  return `{"${elements.map((element) => element.replace(/["\\]/g, '\\$&')).join('","')}"}`;
}
