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

/** Calls of one key or account, for each group; also how many paid calls a key may disconnect from. */
export const keyLimit: RateLimit = { calls: 60, seconds: 60 };

/** Searches and profiles that cost nothing, of one account over all its keys. */
export const freeCallLimit: RateLimit = { calls: 600, seconds: 60 };

/** Searches that the account or key could not pay for, of one account over all its keys. */
export const unpayableSearchLimit: RateLimit = { calls: 20, seconds: 3_600 };
