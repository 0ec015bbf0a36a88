/** How often something may be done. */
export interface RateLimit {
  readonly calls: number;
  readonly seconds: number;
}

/**
 * Calls that are counted together, and for whom: searches, look-ups, the other free calls. Look-ups find a creator for nothing, so
 * more keys must not allow more of them.
 */
export const limitGroups = { search: 'key', lookup: 'account', account: 'key' } as const;
export type LimitGroup = keyof typeof limitGroups;

/** Of one key or account, for each group; also how many paid calls of a key may be hung up. */
export const keyLimit: RateLimit = { calls: 60, seconds: 60 };

/** Of one account over all its keys: searches and profiles that cost nothing. */
export const freeCallLimit: RateLimit = { calls: 600, seconds: 60 };

/** Of one account over all its keys: searches that it, or the key, could not pay for. */
export const unpayableSearchLimit: RateLimit = { calls: 20, seconds: 3_600 };
