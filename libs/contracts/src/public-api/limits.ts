/** How often something may be done. */
export interface RateLimit {
  readonly calls: number;
  readonly seconds: number;
}

/** Calls that are counted together: searches; look-ups; the other free calls. */
export type LimitGroup = 'search' | 'lookup' | 'account';

/** Of one key, for each group; also how many paid calls of a key may be hung up. */
export const keyLimit: RateLimit = { calls: 60, seconds: 60 };

/** Of one account over all its keys: searches and profiles that cost nothing. */
export const freeCallLimit: RateLimit = { calls: 600, seconds: 60 };

/** Of one account over all its keys: searches that it could not pay for. */
export const unpayableSearchLimit: RateLimit = { calls: 20, seconds: 3_600 };
