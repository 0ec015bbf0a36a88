import { environment } from './environment.js';
import { type Call, type Reply, send } from './http.js';
import { randomWord } from './random.js';

export interface ErrorBody {
  readonly error: string;
  readonly details: Readonly<Record<string, string[]>>;
  readonly credits_needed: number;
}

export interface CreditFields {
  readonly credits_used: number;
  readonly credits_remaining: number;
  readonly warning?: string;
}

export interface PlatformEntry {
  readonly platform: string;
  readonly handle: string;
  readonly url: string;
  readonly followers: number;
}

export interface SearchEntry {
  readonly slug: string;
  readonly name: string;
  readonly url: string;
  readonly country: string;
  readonly total_reach: number;
  readonly platforms: PlatformEntry[];
}

export interface SearchBody extends CreditFields {
  readonly total: number;
  readonly returned: number;
  readonly creators: SearchEntry[];
}

export interface ProfileBody extends CreditFields {
  readonly slug: string;
  readonly name: string;
  readonly url: string;
  readonly tagline: string;
  readonly country: string;
  readonly languages: string[];
  readonly verified: boolean;
  readonly website?: string;
  readonly categories: string[];
  readonly total_reach: number;
  readonly platforms: (PlatformEntry & { readonly updated_at: string })[];
}

export interface BalanceBody {
  readonly credits_remaining: number;
  readonly lots: {
    readonly pack: string;
    readonly credits: number;
    readonly remaining: number;
    readonly purchased_at: string;
    readonly expires_at: string;
  }[];
}

export interface UsageBody {
  readonly from: string;
  readonly to: string;
  readonly usage: {
    readonly day: string;
    readonly key_id: string;
    readonly operation: string;
    readonly calls: number;
    readonly credits: number;
  }[];
}

/** A success has the fields of `Success`, an error those of `ErrorBody`: the status tells which. */
export type PublicReply<Success> = Reply<Success & ErrorBody>;

export interface SearchParams {
  readonly q?: string;
  readonly country?: string;
  readonly category?: string;
  readonly language?: string;
  readonly platform?: string;
  readonly min_followers?: number | string;
  readonly max_followers?: number | string;
  readonly limit?: number | string;
}

export const paths = {
  search: '/api/public/v1/search',
  balance: '/api/public/v1/balance',
  usage: '/api/public/v1/usage',
  profile: (slug: string) => `/api/public/v1/creators/${slug}`,
} as const;

/** Calls the public API as a consumer with this key. */
export const api = {
  search(params: SearchParams, key: string): Promise<PublicReply<SearchBody>> {
    return api.get<SearchBody>(paths.search + queryOf(params), key);
  },

  balance(key: string): Promise<PublicReply<BalanceBody>> {
    return api.get<BalanceBody>(paths.balance, key);
  },

  usage(key: string, query = ''): Promise<PublicReply<UsageBody>> {
    return api.get<UsageBody>(`${paths.usage}${query}`, key);
  },

  /** `query` is sent as it is, without the question mark. */
  searchRaw(query: string, key: string): Promise<PublicReply<SearchBody>> {
    return api.get<SearchBody>(`${paths.search}?${query}`, key);
  },

  /** The status of a call with this key that finds nobody and costs nothing. */
  async freeStatus(key: string): Promise<number> {
    return (await api.search({ country: randomWord() }, key)).status;
  },

  profile(slug: string, key: string): Promise<PublicReply<ProfileBody>> {
    return api.get<ProfileBody>(paths.profile(slug), key);
  },

  get<Success = unknown>(path: string, key: string, call: Call = {}): Promise<PublicReply<Success>> {
    const headers = { authorization: `Bearer ${key}`, ...call.headers };
    return send(environment.publicUrl, path, { ...call, headers });
  },

  /** Sends no `Authorization` of its own. */
  send<Success = unknown>(path: string, call: Call = {}): Promise<PublicReply<Success>> {
    return send(environment.publicUrl, path, call);
  },
};

function queryOf(params: SearchParams): string {
  const pairs = Object.entries(params) as [string, string | number][];
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}
