import {
  accountUrls,
  isRecord,
  platforms as platformNames,
  slugLengthMax,
  slugPattern,
} from '@app/contracts/threads';
import { categoryKey } from './category-key.js';
import { type GivenCreator, type PlatformAccount, totalReach } from './creator.js';
import {
  readBoolean,
  readCount,
  readList,
  readOptionalText,
  readText,
  readTimestamp,
  readUrl,
  RecordError,
  refuseUnknownFields,
} from './field-reader.js';

const recordFields = [
  'slug',
  'name',
  'tagline',
  'country',
  'languages',
  'verified',
  'website',
  'categories',
  'published',
  'platforms',
];
const accountFields = ['platform', 'handle', 'url', 'followers', 'updated_at'];

/**
 * Reads one import record (design 6), with its defaults. Throws `RecordError` with a sentence that names the first
 * invalid field. `now` bounds `updated_at`.
 */
export function parseCreatorRecord(value: unknown, now: Date): GivenCreator {
  if (!isRecord(value)) throw new RecordError('record', 'must be a JSON object');
  refuseUnknownFields(value, recordFields, '');
  const creator = {
    slug: readSlug(value.slug),
    name: readText(value.name, 'name', { lengthMax: 200 }),
    tagline: readOptionalText(value.tagline, 'tagline', { lengthMax: 2_000, multiline: true }),
    country: readText(value.country, 'country', { lengthMax: 100 }),
    languages: unique(readTexts(value.languages, 'languages')),
    verified: readBoolean(value.verified, 'verified', false),
    website: value.website === undefined ? null : readUrl(value.website, 'website'),
    categories: unique(readCategories(value.categories)),
    published: readBoolean(value.published, 'published', null),
    platforms: readAccounts(value.platforms, now),
  };
  if (!Number.isSafeInteger(totalReach(creator))) {
    throw new RecordError('platforms', 'have too many followers in total');
  }
  return creator;
}

function readSlug(value: unknown): string {
  if (value === undefined) throw new RecordError('slug', 'is missing');
  if (typeof value !== 'string' || value.length > slugLengthMax || !slugPattern.test(value)) {
    throw new RecordError(
      'slug',
      `must be 1 to ${slugLengthMax} of the characters a-z and 0-9, with single hyphens between them`,
    );
  }
  return value;
}

function readTexts(value: unknown, field: string): string[] {
  return readList(value, field, 100).map((entry, index) =>
    readText(entry, `${field}[${index}]`, { lengthMax: 100 }),
  );
}

/** Categories as their slugs; one that consists of marks alone has none. */
function readCategories(value: unknown): string[] {
  return readTexts(value, 'categories').map((category, index) => {
    const key = categoryKey(category);
    if (key === '') throw new RecordError(`categories[${index}]`, 'must have a letter, digit or sign');
    return key;
  });
}

function readAccounts(value: unknown, now: Date): PlatformAccount[] {
  const accounts = readList(value, 'platforms', platformNames.length).map((entry, index) =>
    readAccount(entry, `platforms[${index}]`, now),
  );
  const twice = accounts.find(({ platform }, index) =>
    accounts.slice(0, index).some((other) => other.platform === platform),
  );
  if (twice) throw new RecordError('platforms', `must not have two accounts on ${twice.platform}`);
  return accounts;
}

function readAccount(value: unknown, field: string, now: Date): PlatformAccount {
  if (!isRecord(value)) throw new RecordError(field, 'must be an object');
  refuseUnknownFields(value, accountFields, `${field}.`);
  const platform = platformNames.find((name) => name === value.platform);
  if (platform === undefined) {
    throw new RecordError(`${field}.platform`, `must be one of ${platformNames.join(', ')}`);
  }
  const handle = readHandle(value.handle, `${field}.handle`);
  const usualUrl = accountUrls[platform].join(encodeURIComponent(handle));
  return {
    platform,
    handle,
    url: value.url === undefined ? usualUrl : readUrl(value.url, `${field}.url`),
    followers: readCount(value.followers, `${field}.followers`),
    updated_at: readTimestamp(value.updated_at, `${field}.updated_at`, now),
  };
}

function readHandle(value: unknown, field: string): string {
  const handle = readText(value, field, { lengthMax: 200 }).replace(/^@+/, '').trim();
  if (handle === '') throw new RecordError(field, 'must not be blank');
  return handle;
}

function unique(texts: string[]): string[] {
  return [...new Set(texts)];
}
