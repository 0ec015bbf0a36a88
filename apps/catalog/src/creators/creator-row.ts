import { createHash } from 'node:crypto';
import { platforms } from '@app/contracts';
import { foldText } from '@app/platform';
import { categoryKey } from './category-key.js';
import { type CopyValue } from './copy-format.js';
import { type Creator, newestUpdate, totalReach } from './creator.js';

/** What the reads need of a stored creator. */
export interface StoredCreator extends Creator {
  readonly published: boolean;
}

/** The columns of `creators` that `StoredCreator` consists of. */
export const storedColumns =
  'slug, name, tagline, country, languages, verified, website, categories, published, platforms';

/** The columns that follow from a record alone, in the order of `toRow`. */
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
  'content_hash',
];

/** The values of `rowColumns`. */
export function toRow(creator: Creator): CopyValue[] {
  const followers = platforms.map(
    (platform) => creator.platforms.find((account) => account.platform === platform)?.followers ?? null,
  );
  return [
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
    foldText(creator.country),
    creator.languages.map(foldText),
    creator.categories.map(categoryKey),
    searchText(creator),
    contentHash(creator),
  ];
}

/** The folded name and handles, a line each. */
function searchText({ name, platforms: accounts }: Creator): string {
  return [name, ...accounts.map(({ handle }) => handle)].map(foldText).join('\n');
}

/** To be raised when the columns that are derived from a record change: the next import then writes every creator anew. */
const derivation = 1;

/** Tells whether a record says anything new; whether it is published is compared apart. */
function contentHash(creator: Creator): string {
  const { slug, name, tagline, country, languages, verified, website, categories } = creator;
  const accounts = creator.platforms.map(({ platform, handle, url, followers, updated_at }) => [
    platform,
    handle,
    url,
    followers,
    updated_at,
  ]);
  const content = [derivation, slug, name, tagline, country, languages, verified, website, categories];
  return createHash('sha256')
    .update(JSON.stringify([...content, accounts]))
    .digest('base64url');
}
