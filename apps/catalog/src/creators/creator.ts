import { type CreatorRecord, foldText, type PlatformAccountRecord } from '#contracts/threads';

/** An account on a platform; `handle` has no leading `@`, `updated_at` is ISO 8601 UTC. */
export type PlatformAccount = Required<PlatformAccountRecord>;

/** A creator's record with its defaults filled in. */
export interface Creator extends Required<Omit<CreatorRecord, 'website' | 'published' | 'platforms'>> {
  readonly website: string | null;
  readonly platforms: readonly PlatformAccount[];
}

/** A record as received: `published: null` keeps a known creator's flag and publishes a new creator. */
export interface GivenCreator extends Creator {
  readonly published: boolean | null;
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
export function categoryKey(category: string): string {
  const folded = foldText(category);
  const slug = folded
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .replace(/(?:-and)+(?=-)/g, '');
  return (slug === '' ? folded : slug).normalize('NFC');
}
