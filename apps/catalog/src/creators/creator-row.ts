import { createHash } from 'node:crypto';
import { platforms } from '@app/contracts';
import { foldText } from '@app/platform';
import { categoryKey } from './category-key.js';
import { type Creator, newestUpdate, totalReach } from './creator.js';

/** What the reads need of a stored creator. */
export interface StoredCreator extends Creator {
  readonly published: boolean;
}

/** The columns of `creators` that `StoredCreator` consists of. */
export const storedColumns =
  'slug, name, tagline, country, languages, verified, website, categories, published, platforms';

/** All columns that follow from a record alone, as one JSON row for `json_to_recordset`. */
export interface CreatorRow extends Readonly<Record<string, unknown>> {
  readonly slug: string;
  readonly content_hash: string;
}

export function toRow(creator: Creator): CreatorRow {
  const followers = platforms.map((platform) => {
    const account = creator.platforms.find((candidate) => candidate.platform === platform);
    return [`${platform}_followers`, account?.followers ?? null] as const;
  });
  return {
    slug: creator.slug,
    name: creator.name,
    tagline: creator.tagline,
    country: creator.country,
    languages: creator.languages,
    verified: creator.verified,
    website: creator.website,
    categories: creator.categories,
    platforms: creator.platforms,
    total_reach: totalReach(creator),
    newest_updated_at: newestUpdate(creator),
    ...Object.fromEntries(followers),
    folded_country: foldText(creator.country),
    folded_languages: creator.languages.map(foldText),
    folded_categories: creator.categories.map(categoryKey),
    search_text: searchText(creator),
    content_hash: contentHash(creator),
  };
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
