// Written by `npm run docs` from libs/contracts.

export type PlatformName = 'youtube' | 'instagram' | 'tiktok' | 'facebook' | 'x';

export type FilterName =
  'q' | 'country' | 'category' | 'language' | 'platform' | 'min_followers' | 'max_followers';

export type Operation = 'search' | 'profile' | 'profiles';

export type CallState = 'pending' | 'posted' | 'voided';

export type CallReason = 'no_match' | 'unchanged' | 'repeated' | 'abandoned' | 'given_up' | 'timed_out';

export type ProfileStatus = 'found' | 'unchanged' | 'not_found';

export interface SearchFilters {
  /**
   * Every word must occur in the creator's name or in one of the handles. Case, accents, a leading `@` and quotes
   * and commas around a word don't matter. A word that is a link to a profile finds the creator who has the
   * account. Up to 100 characters.
   */
  readonly q?: string | undefined;
  /**
   * Country, by a usual English name or its ISO code: `United Kingdom` and `GB` are the same. Up to 100
   * characters.
   */
  readonly country?: string | undefined;
  /** Niche, by name or slug: `Food & Drink`, `food and drink` and `food-drink` are the same. Up to 100 characters. */
  readonly category?: string | undefined;
  /**
   * Content language, by a usual English name or its ISO code: `French` and `fr` are the same. Up to 100
   * characters.
   */
  readonly language?: string | undefined;
  /** Creators with an account there. All of their accounts are shown. */
  readonly platform?: PlatformName | undefined;
  /** Minimum number of followers: on `platform` if given, otherwise in total. */
  readonly min_followers?: number | undefined;
  /** Maximum number of followers: on `platform` if given, otherwise in total. */
  readonly max_followers?: number | undefined;
}

/** One page of a search. */
export interface SearchParameters extends SearchFilters {
  /** Creators in the answer. Not a filter: it costs nothing. 1 to 100; default 50. */
  readonly limit?: number | undefined;
  /**
   * `recent`: most recently updated first. `reach`: largest `total_reach` first. `followers`: most followers on
   * `platform` first, which is then required. Not a filter: it costs nothing.
   */
  readonly sort?: 'recent' | 'reach' | 'followers' | undefined;
  /**
   * Where the page begins: copied from the `link` header of the previous page, with the same filters and `sort`.
   * Not a filter: it costs nothing. Up to 500 characters.
   */
  readonly cursor?: string | undefined;
}

export interface UsageParameters {
  /** The first day, UTC. Default: 30 days up to `to`; at most 366 days. `YYYY-MM-DD`. */
  readonly from?: string | undefined;
  /** The last day, UTC. Default: today. `YYYY-MM-DD`. */
  readonly to?: string | undefined;
}

export interface PageParameters {
  /** Calls in the answer. 1 to 100; default 50. */
  readonly limit?: number | undefined;
  /** Where the page begins: copied from the `link` header of the previous page. Up to 500 characters. */
  readonly cursor?: string | undefined;
}

export interface CallsParameters extends UsageParameters, PageParameters {
  /** Only calls with this key. UUID. */
  readonly key_id?: string | undefined;
  /** Only calls of this operation. */
  readonly operation?: Operation | undefined;
  /** Only calls in this state. */
  readonly state?: CallState | undefined;
}

/** What every answer that can cost credits says about them. */
export interface Charge {
  /** What this call cost. */
  readonly credits_used: number;
  /** The balance after this call. */
  readonly credits_remaining: number;
  /** The balance is 5 credits or fewer: a sentence with the balance. */
  readonly warning?: string;
}

/** One page of a search. */
export interface SearchBody extends Charge {
  /** All creators that match, exactly. */
  readonly total: number;
  /** Creators in this answer. */
  readonly returned: number;
  /** In the order of `sort`. */
  readonly creators: readonly Creator[];
}

/** A creator in a search. */
export interface Creator {
  /** The unique name of the creator: the last part of `url`, and of the path of the profile in this API. */
  readonly slug: string;
  /** Display name. */
  readonly name: string;
  /** The profile on our site. */
  readonly url: string;
  /** Country name. */
  readonly country: string;
  /** The sum of the latest follower counts over all platforms. */
  readonly total_reach: number;
  /** On all platforms, also when a search named one. */
  readonly platforms: readonly PlatformEntry[];
}

/** An account of a creator on one platform. */
export interface PlatformEntry {
  /** The platform. */
  readonly platform: PlatformName;
  /** The name of the account, with a leading `@`. */
  readonly handle: string;
  /** The account on the platform. */
  readonly url: string;
  /** The latest follower count. */
  readonly followers: number;
}

/** The full record of one creator. */
export interface CreatorProfile {
  /** The unique name of the creator: the last part of `url`, and of the path of the profile in this API. */
  readonly slug: string;
  /** Display name. */
  readonly name: string;
  /** The profile on our site. */
  readonly url: string;
  /** Country name. */
  readonly country: string;
  /** The sum of the latest follower counts over all platforms. */
  readonly total_reach: number;
  /** The accounts on all platforms. */
  readonly platforms: readonly ProfilePlatformEntry[];
  /** A short summary; may be empty. */
  readonly tagline: string;
  /** Content languages. */
  readonly languages: readonly string[];
  /** We have verified that the profile is genuine. */
  readonly verified: boolean;
  /** The official website; absent when it is not known. */
  readonly website?: string;
  /** Niches, as slugs. */
  readonly categories: readonly string[];
}

/** An account of a creator on one platform, and when its followers were counted. */
export interface ProfilePlatformEntry extends PlatformEntry {
  /** When the followers were last counted. ISO 8601. */
  readonly updated_at: string;
}

/** The full record of one creator. */
export interface ProfileBody extends Charge, CreatorProfile {}

/** The result for one of the slugs. */
export interface ProfileEntry {
  /** The slug that you sent. */
  readonly slug: string;
  /**
   * `found`: here is the profile, for 1 credit. `unchanged`: you have it already; free. `not_found`: no published
   * creator has this slug; free.
   */
  readonly status: ProfileStatus;
  /** Identifies this version of the profile: send it the next time. */
  readonly etag?: string;
  /** Only if `found`. */
  readonly profile?: CreatorProfile;
}

/** The results, and what they cost. */
export interface ProfilesBody extends Charge {
  /** In the order asked. */
  readonly results: readonly ProfileEntry[];
}

/** The values that four filters of a search take: those with the most creators first, then by name. */
export interface FiltersBody {
  /** For `country`. */
  readonly countries: readonly NamedFilterValue[];
  /** For `category`. */
  readonly categories: readonly CategoryFilterValue[];
  /** For `language`. */
  readonly languages: readonly NamedFilterValue[];
  /** For `platform`. */
  readonly platforms: readonly PlatformFilterValue[];
}

/** A country or a language, spelled as in most of the records that have it. */
export interface NamedFilterValue {
  /** Its name. */
  readonly name: string;
  /** Creators that a search for it returns. */
  readonly creators: number;
}

/** A category. */
export interface CategoryFilterValue {
  /** Its slug. */
  readonly slug: string;
  /** Creators that a search for it returns. */
  readonly creators: number;
}

/** A platform. */
export interface PlatformFilterValue {
  /** The platform. */
  readonly platform: PlatformName;
  /** Creators that a search for it returns. */
  readonly creators: number;
}

/** The creator who has an account. */
export interface LookupBody {
  /** The creator who has the account; `null` when no published creator has it. */
  readonly slug: string | null;
}

/** The creator who has an account. */
export interface LookupEntry extends LookupBody {
  /** What is wrong with the input. */
  readonly problem?: string;
}

/** The creators who have these accounts. */
export interface LookupsBody {
  /** In the order asked. */
  readonly results: readonly LookupEntry[];
}

/** The credits of the account. */
export interface BalanceBody {
  /** The sum of what remains in `lots`. */
  readonly credits_remaining: number;
  /** In the order in which they are spent. */
  readonly lots: readonly Lot[];
  /** The monthly limit of the API key of this call; absent when it has none. */
  readonly key_limit?: KeyLimit;
}

/** The credits of one purchase, with their own expiry. */
export interface Lot {
  /** The pack that was bought; `adjustment` for credits given as goodwill. */
  readonly pack: 'trial' | 'builder' | 'scale' | 'enterprise' | 'adjustment';
  /** Credits that were bought or given. */
  readonly credits: number;
  /** Credits that can still be spent. */
  readonly remaining: number;
  /** When it was bought. ISO 8601. */
  readonly purchased_at: string;
  /** When the remaining credits expire. ISO 8601. */
  readonly expires_at: string;
}

/** The monthly limit of an API key. */
export interface KeyLimit {
  /** Credits that the key may spend in a calendar month, UTC. 1 to 1000000000. */
  readonly limit: number;
  /** Credits spent this month; more than the limit if that was lowered. */
  readonly spent: number;
  /** When `spent` becomes 0 again. ISO 8601. */
  readonly resets_at: string;
}

/** Calls and credits of some days. */
export interface UsageBody {
  /** The first day. `YYYY-MM-DD`. */
  readonly from: string;
  /** The last day. `YYYY-MM-DD`. */
  readonly to: string;
  /** Days without a call are left out. */
  readonly usage: readonly UsageRow[];
}

/** The calls of one operation with one key on one day. */
export interface UsageRow {
  /** The day, UTC. `YYYY-MM-DD`. */
  readonly day: string;
  /** The key. UUID. */
  readonly key_id: string;
  /** The operation. */
  readonly operation: Operation;
  /** Calls that were answered. */
  readonly calls: number;
  /** What they cost together. */
  readonly credits: number;
}

/** A call for creators that was charged, or free. */
export interface CallRecord {
  /** The `x-request-id` of the call. Several calls may have the same. */
  readonly request_id: string;
  /** When it was charged. ISO 8601. */
  readonly at: string;
  readonly key: CallKey;
  /** The operation. */
  readonly operation: Operation;
  /** The filters of a search; `null` for profiles. */
  readonly filters: readonly FilterName[] | null;
  /** Creators that matched a search, or that exist among the `profiles` asked for; `null` for one profile. */
  readonly total: number | null;
  /** Credits that this call cost. */
  readonly credits: number;
  /** Credits that were taken and returned because the call failed. */
  readonly credits_returned: number;
  /**
   * `posted`: you got the answer, or left before its end. `voided`: you did not get it, and pay nothing.
   * `pending`: not yet known.
   */
  readonly state: CallState;
  /**
   * Why the call cost nothing; `null` for one whose answer you got for its price. `no_match`: no creator matched,
   * or had one of the slugs. `unchanged`: you already have what was found. `repeated`: a repetition of a paid
   * call. `abandoned`: you disconnected before the end; `posted`: charged, because you have left more answers on
   * that day (UTC) than are free, which are five and one more for each 100 paid calls, or because it was for many
   * profiles; `voided`: free. `given_up`: the response was not delivered completely. `timed_out`: delivery was not
   * confirmed in time. More values may come.
   */
  readonly reason: CallReason | null;
  /** Of a repetition: the request id of the paid call. */
  readonly repeat_of: string | null;
}

/** The key that made the call, which may have been deleted since. */
export interface CallKey {
  /** Its id. UUID. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** The first characters of the key. */
  readonly prefix: string;
}

/** A page of calls. */
export interface CallsBody {
  /** Newest first. */
  readonly calls: readonly CallRecord[];
}
