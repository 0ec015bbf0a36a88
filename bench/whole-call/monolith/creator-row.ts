import { accountUrls, type CreatorRecord, foldText } from '@app/contracts';

/** A creator as a row of the table `creators`, by the names of its columns. */
export function rowOf(record: CreatorRecord, siteUrl: string): Record<string, unknown> {
  const { slug, name, country } = record;
  const accounts = record.platforms.map(({ platform, handle, url, followers, updated_at }) => ({
    platform,
    handle: `@${handle}`,
    url: url ?? accountUrls[platform].join(encodeURIComponent(handle)),
    followers,
    updated_at,
  }));
  const times = accounts.map(({ updated_at }) => updated_at).sort();
  const reach = accounts.reduce((sum, { followers }) => sum + followers, 0);
  const common = { slug, name, url: `${siteUrl}/creators/${slug}`, country, total_reach: reach };
  const entry = { ...common, platforms: accounts.map(({ updated_at: _, ...account }) => account) };
  const profile = {
    ...common,
    platforms: accounts,
    tagline: record.tagline ?? '',
    languages: record.languages,
    verified: record.verified ?? false,
    website: record.website,
    categories: record.categories,
  };
  const followers = accounts.map((account) => [`${account.platform}_followers`, account.followers] as const);
  return {
    slug,
    published: record.published ?? true,
    country: foldText(country),
    languages: record.languages.map(foldText),
    categories: record.categories.map(categorySlug),
    search_text: [name, ...record.platforms.map(({ handle }) => handle)].map(foldText).join('\n'),
    total_reach: reach,
    ...Object.fromEntries(followers),
    newest_updated_at: times.at(-1) ?? null,
    entry: JSON.stringify(entry),
    profile: JSON.stringify(profile),
  };
}

/** `Food & Drink` and `food-drink` are the same. */
export function categorySlug(category: string): string {
  return foldText(category)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}
