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

/** All columns that follow from a record, as one JSON row for `json_to_recordset`. */
export function toRow(creator: Creator, published: boolean): Readonly<Record<string, unknown>> {
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
    published,
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

/** Tells whether a record says anything new; whether it is published is compared apart. */
export function contentHash(creator: Creator): string {
  const {
    slug,
    name,
    tagline,
    country,
    languages,
    verified,
    website,
    categories,
    platforms: accounts,
  } = creator;
  const content = [slug, name, tagline, country, languages, verified, website, categories, accounts];
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
