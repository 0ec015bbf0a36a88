import {
  type BalanceBody,
  type CallRecord as CallBody,
  type CallsBody,
  type Charge as CreditFields,
  type FiltersBody,
  type LookupBody,
  type LookupsBody,
  type ProfileBody,
  type SearchBody,
  type SearchParameters as SearchParams,
  type UsageBody,
} from '#client';
import { assertDocumented } from './documented-api.js';
import { environment } from './environment.js';
import { type Call, type Reply, send } from './http.js';
import { randomWord } from './random.js';

export {
  type BalanceBody,
  type CallBody,
  type CallsBody,
  type CreditFields,
  type FiltersBody,
  type ProfileBody,
  type SearchBody,
  type SearchParams,
};

export interface ErrorBody {
  readonly error: string;
  readonly details: Readonly<Record<string, string[]>>;
  readonly credits_needed: number;
}

/** A success has the fields of `Success`, an error those of `ErrorBody`, by the status. */
export type PublicReply<Success> = Reply<Success & ErrorBody>;

export const paths = {
  search: '/api/public/v1/search',
  balance: '/api/public/v1/balance',
  usage: '/api/public/v1/usage',
  calls: '/api/public/v1/calls',
  lookup: '/api/public/v1/lookup',
  filters: '/api/public/v1/filters',
  profiles: '/api/public/v1/creators/batch',
  profile: (slug: string) => `/api/public/v1/creators/${slug}`,
} as const;

/** Calls the public API as a consumer with this key. Each answer has to be as docs/openapi.json says, else the call throws. */
export const api = {
  search(params: SearchParams, key: string): Promise<PublicReply<SearchBody>> {
    return api.get<SearchBody>(paths.search + queryOf(params), key);
  },

  balance(key: string): Promise<PublicReply<BalanceBody>> {
    return api.get<BalanceBody>(paths.balance, key);
  },

  usage(key: string): Promise<PublicReply<UsageBody>> {
    return api.get<UsageBody>(paths.usage, key);
  },

  calls(key: string, query = ''): Promise<PublicReply<CallsBody>> {
    return api.get<CallsBody>(`${paths.calls}${query}`, key);
  },

  /** The calls with this request id. */
  callsOf(requestId: string, key: string): Promise<PublicReply<CallsBody>> {
    return api.calls(key, `/${encodeURIComponent(requestId)}`);
  },

  /** Looks up one account: `url`, or `platform` and `handle`. */
  lookUp(account: Readonly<Record<string, string>>, key: string): Promise<PublicReply<LookupBody>> {
    return api.get<LookupBody>(paths.lookup + queryOf(account), key);
  },

  /** Posts whatever `body` is as JSON. */
  lookUpMany(body: unknown, key: string): Promise<PublicReply<LookupsBody>> {
    const headers = { 'content-type': 'application/json' };
    return api.get<LookupsBody>(paths.lookup, key, { method: 'POST', headers, body: JSON.stringify(body) });
  },

  filters(key: string, headers: Readonly<Record<string, string>> = {}): Promise<PublicReply<FiltersBody>> {
    return api.get<FiltersBody>(paths.filters, key, { headers });
  },

  /** `query` is sent as it is, without the question mark. */
  searchRaw(query: string, key: string): Promise<PublicReply<SearchBody>> {
    return api.get<SearchBody>(`${paths.search}?${query}`, key);
  },

  /** The status of a call with this key that matches nothing and is free. */
  async freeStatus(key: string): Promise<number> {
    return (await api.search({ country: randomWord() }, key)).status;
  },

  profile(slug: string, key: string): Promise<PublicReply<ProfileBody>> {
    return api.get<ProfileBody>(paths.profile(slug), key);
  },

  get<Success = unknown>(path: string, key: string, call: Call = {}): Promise<PublicReply<Success>> {
    const headers = { authorization: `Bearer ${key}`, ...call.headers };
    return api.send(path, { ...call, headers });
  },

  /** Sends no `Authorization` of its own. */
  async send<Success = unknown>(path: string, call: Call = {}): Promise<PublicReply<Success>> {
    const reply = await send<Success & ErrorBody>(environment.publicUrl, path, call);
    assertDocumented(call.method ?? 'GET', path, reply);
    return reply;
  },
};

function queryOf(params: SearchParams | Readonly<Record<string, string>>): string {
  const pairs = Object.entries(params) as [string, string | number][];
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}
