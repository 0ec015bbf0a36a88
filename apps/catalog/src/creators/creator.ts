import { type CreatorRecord, foldText, type PlatformAccountRecord, remembering } from '#contracts/threads';

/** An account on a platform; `handle` has no leading `@`, `updated_at` is ISO 8601 UTC. */
export type PlatformAccount = Required<PlatformAccountRecord>;

/** A creator's record with its defaults filled in. */
export interface Creator extends Required<Omit<CreatorRecord, 'website' | 'published' | 'platforms'>> {
  readonly website: string | null;
  readonly platforms: readonly PlatformAccount[];
}

/** A creator beside the slug, which a record may leave to its accounts. */
export type CreatorContent = Omit<Creator, 'slug'>;

/** A record as received: without `published` a known creator keeps its flag and a new one is published. */
export interface GivenCreator extends CreatorContent {
  readonly slug: string | null;
  readonly published: boolean | null;
}

/** The fields of a creator that a record which is merged may have. */
export type MergedCreator = Partial<CreatorContent> & Pick<GivenCreator, 'platforms'>;

/**
 * A creator with what a record adds: the fields that it has replace those of before, an account the one on its platform,
 * unless that is newer.
 */
export function mergeCreator(creator: CreatorContent, added: MergedCreator): CreatorContent {
  const given = new Map(added.platforms.map((account) => [account.platform, account]));
  const platforms = creator.platforms.map((account) => {
    const other = given.get(account.platform);
    given.delete(account.platform);
    return other && other.updated_at >= account.updated_at ? other : account;
  });
  return { ...creator, ...added, platforms: [...platforms, ...given.values()] };
}

/** Sum of the latest follower counts over all platforms. */
export function totalReach({ platforms }: Pick<Creator, 'platforms'>): number {
  return platforms.reduce((sum, account) => sum + account.followers, 0);
}

/** The newest `updated_at` over all platforms; `null` without any. */
export function newestUpdate({ platforms }: Pick<Creator, 'platforms'>): string | null {
  return platforms.reduce<string | null>(
    (newest, { updated_at }) => (newest === null || updated_at > newest ? updated_at : newest),
    null,
  );
}

/**
 * A category's slug, whether it is given by name or by slug: `Food & Drink`, `Food and Drink` and `food-drink` are the same.
 */
export const categoryKey = remembering((category) => {
  const folded = foldText(category);
  const slug = folded
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .replace(/(?:-and)+(?=-)/g, '');
  return (slug === '' ? folded : slug).normalize('NFC');
});
