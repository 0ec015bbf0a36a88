import { hash } from 'node:crypto';
import {
  blankRecord,
  countryName,
  CreatorRecord,
  type ImportRules,
  isRecord,
  languageName,
  readShape,
  slugLengthMax,
  slugOf,
  updateTime,
} from '#contracts/threads';
import { type CreatorRow, rowOf } from './creator-row.js';
import { readHandle, urlProblem } from '../lookup/creator-account.js';
import { categoryKey, type Creator, type GivenCreator, type PlatformAccount } from './creator.js';

/** A record that breaks a rule; the message is a sentence that begins with the field. */
export class RecordError extends Error {
  override readonly name = 'RecordError';

  constructor(
    readonly field: string,
    sentence: string,
  ) {
    super(sentence);
  }
}

/** What a record may leave out. */
const creatorDefaults = { tagline: '', verified: false, website: null } as const;

/**
 * Reads one record of an import, with its defaults. Throws `RecordError` with a sentence that names the first invalid
 * field. `now` bounds `updated_at`.
 */
export function parseCreatorRecord(value: unknown, now: Date): GivenCreator {
  if (!isRecord(value)) throw new RecordError('record', 'record must be a JSON object');
  const { shape: record, details = {} } = readShape(CreatorRecord, value, { strict: true });
  for (const [field, [sentence = '']] of Object.entries(details)) throw new RecordError(field, sentence);
  const { platforms, slug = null } = record;
  if (slug === null && platforms.length === 0) {
    throw new RecordError('platforms', 'platforms must have an account when there is no slug');
  }
  // Field by field: an import makes millions, and objects that all have one shape are read several times as fast.
  return {
    slug,
    name: record.name,
    tagline: record.tagline ?? creatorDefaults.tagline,
    country: countryName(record.country) ?? record.country,
    languages: unique(record.languages.map((language) => languageName(language) ?? language)),
    verified: record.verified ?? creatorDefaults.verified,
    website: record.website ?? creatorDefaults.website,
    categories: unique(record.categories.map(readCategory)),
    platforms: platforms.map((account, index) => readAccount(account, index, now)),
    published: record.published ?? null,
  };
}

/** What a record that is merged with a creator adds to it. */
export interface RecordToMerge {
  /** With defaults and placeholders for what is not given. */
  readonly record: GivenCreator;
  /** The names of the fields that are given; `null`: the record is the whole creator. */
  readonly given: readonly string[] | null;
  /** Without it, the record makes no new creator. */
  readonly missing: string | null;
}

/**
 * Reads a record in which a field may be absent or empty; `defaults` has fields that only a new creator gets. Throws
 * `RecordError`.
 */
export function parseRecordToMerge(value: unknown, now: Date): RecordToMerge {
  const { defaults = {}, ...fields } = isRecord(value) ? value : {};
  if (!isRecord(defaults) || 'slug' in defaults || 'platforms' in defaults) {
    throw new RecordError('defaults', 'defaults must be a JSON object without slug and platforms');
  }
  const given = Object.fromEntries(Object.entries(fields).filter(([, field]) => !isEmpty(field)));
  const known = { ...defaults, ...given };
  const record = parseCreatorRecord(isRecord(value) ? { ...blankRecord, ...known } : value, now);
  const missing = ['name', 'country'].find((name) => !(name in known)) ?? null;
  return { record, given: [...Object.keys(given), 'platforms'], missing };
}

/** What a record adds that is the whole creator. */
export function wholeRecord(record: GivenCreator): RecordToMerge {
  return { record, given: null, missing: null };
}

/** A line after all work that needs no database. */
export interface PreparedLine {
  readonly line: number;
  /** The slug as given. */
  readonly slug: string | null;
  /** For a new creator without a slug: a number follows it where it is taken. */
  readonly madeSlug: string;
  readonly published: boolean | null;
  /** Row of a creator that has only what the record says. */
  readonly row: CreatorRow;
  /** The content of such a creator as JSON, where it may become more or less than that: most are never needed again. */
  readonly json: string;
  /** The names of the fields that are given; `null`: all are. */
  readonly given: readonly string[] | null;
  /** Without this field, the record makes no new creator. */
  readonly missing: string | null;
}

/** Whether creators are needed with their content: it is merged, or loses accounts to another creator. */
export function needsContent({ mode, move_accounts }: ImportRules): boolean {
  return mode === 'merge' || move_accounts;
}

/** Prepares a record for the database. `keepsContent`: as `needsContent` says. */
export function prepareLine(
  line: number,
  { record, given, missing }: RecordToMerge,
  keepsContent = false,
): PreparedLine {
  const { slug, published, ...content } = record;
  const json = keepsContent ? JSON.stringify(content) : '';
  const madeSlug = slug ?? slugFor(record);
  return { line, slug, madeSlug, published, row: rowOf(record), json, given, missing };
}

function isEmpty(field: unknown): boolean {
  if (typeof field === 'string') return field.trim() === '';
  return field === null || (Array.isArray(field) && field.length === 0);
}

/** The longest slug that is made of a text: a number may follow it. */
const madeSlugMax = slugLengthMax - 10;

/**
 * The slug of a creator who is new and has none: made of the name if that has a Latin letter, else of the handle of the largest
 * account with one, else of what there is.
 */
function slugFor({ name, platforms }: Pick<Creator, 'name' | 'platforms'>): string {
  const largestFirst = [...platforms].sort((one, other) => other.followers - one.followers);
  const texts = [name, ...largestFirst.map(({ handle }) => handle)];
  const slugs = texts.map((text) => slugOf(text, madeSlugMax)).filter((slug) => slug !== '');
  const made = slugs.find((slug) => /[a-z]/.test(slug)) ?? slugs[0];
  return made ?? `creator-${hash('sha256', texts.join('\n'), 'hex').slice(0, 10)}`;
}

/** A category as its slug; one that consists of marks only has none. */
function readCategory(category: string, index: number): string {
  const key = categoryKey(category);
  if (key === '') throw broken(`categories[${index}]`, 'must have a letter, digit or sign');
  return key;
}

function readAccount(account: CreatorRecord['platforms'][number], index: number, now: Date): PlatformAccount {
  const { platform, url, followers } = account;
  const field = `platforms[${index}]`;
  const updated_at = updateTime(account.updated_at, now);
  if (updated_at === null) throw broken(`${field}.updated_at`, 'is in the future');
  const named = readHandle(platform, account.handle);
  if (typeof named === 'string') throw broken(`${field}.handle`, named);
  const problem = url === undefined ? null : urlProblem(platform, url);
  if (problem !== null) throw broken(`${field}.url`, problem);
  return { platform, handle: named.handle, url: url ?? named.url, followers, updated_at };
}

function broken(field: string, rule: string): RecordError {
  return new RecordError(field, `${field} ${rule}`);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
