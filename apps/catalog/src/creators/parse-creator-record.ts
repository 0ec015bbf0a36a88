import { CreatorRecord, isRecord, readShape, updateTime } from '#contracts/threads';
import { readHandle, urlProblem } from '../lookup/creator-account.js';
import { categoryKey, type GivenCreator, type PlatformAccount } from './creator.js';

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

/**
 * Reads one record of an import, with its defaults. Throws `RecordError` with a sentence that names the first invalid
 * field. `now` bounds `updated_at`.
 */
export function parseCreatorRecord(value: unknown, now: Date): GivenCreator {
  if (!isRecord(value)) throw new RecordError('record', 'record must be a JSON object');
  const { shape: record, details = {} } = readShape(CreatorRecord, value, { strict: true });
  for (const [field, [sentence = '']] of Object.entries(details)) throw new RecordError(field, sentence);
  return {
    tagline: '',
    verified: false,
    website: null,
    published: null,
    ...record,
    languages: unique(record.languages),
    categories: unique(record.categories.map(readCategory)),
    platforms: record.platforms.map((account, index) => readAccount(account, index, now)),
  };
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
