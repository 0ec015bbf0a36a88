import {
  type BalanceBody,
  type CallRecord,
  type CallsBody,
  type CallsParameters,
  type Creator,
  type FiltersBody,
  type LookupBody,
  type LookupsBody,
  type ProfileBody,
  type ProfileEntry,
  type ProfilesBody,
  type SearchBody,
  type SearchParameters,
  type UsageBody,
  type UsageParameters,
} from './api.js';
import { type Answer } from './answers/answer.js';
import { HttpClient } from './http/http-client.js';
import {
  type AccountToLookUp,
  type CallOptions,
  type ChargedCallOptions,
  type ClientOptions,
  type CreatorToRead,
  type ManyCallsOptions,
} from './options/options.js';
import { readOptions } from './options/settings.js';
import { PagedList } from './paging.js';
import {
  type BalanceResult,
  type CallsResult,
  type CreatorResult,
  type CreatorsResult,
  type FiltersResult,
  type LookupResult,
  type Result,
  type SearchResult,
  type UnchangedCreator,
  type UnchangedSearch,
  type UsageResult,
} from './results.js';

/** Options of `creator()` and `search()`. */
export interface ConditionalCallOptions extends ChargedCallOptions {
  /** `etag` of the answer that you have: when it has not changed since, the new one says so and costs nothing. */
  readonly ifNoneMatch?: string | null | undefined;
}

/** Options of a call whose answer you don't have yet. */
type UnconditionalCallOptions = ChargedCallOptions & { readonly ifNoneMatch?: undefined };

/** The most that one page can have; each page costs the same, so larger ones are cheaper. */
const pageSizeMax = 100;
/** The most items that the API takes in one call. */
const batchSize = 100;
/** Less than the longest body that the API takes, 64 KiB. */
const batchBytesMax = 60_000;

/**
 * A client of the Creator Search Service. It belongs on your server: anyone with the key can spend its credits.
 *
 * Calls that fail temporarily are sent again; every other failure is thrown as a `CreatorSearchError`. A call that failed
 * has cost nothing.
 */
export class CreatorSearch {
  readonly baseUrl: string;
  readonly #http: HttpClient;

  /** Throws a `TypeError` for an option that is not valid. */
  constructor(options: ClientOptions) {
    const settings = readOptions(options);
    this.baseUrl = settings.baseUrl;
    this.#http = new HttpClient(settings);
  }

  /**
   * One page of the creators that match all filters, most recently updated first unless `sort` says otherwise.
   *
   * Costs 1 credit, and 1 for each filter; nothing when no creator matches, and nothing when `ifNoneMatch` is the ETag of a page
   * that has not changed.
   */
  search(parameters?: SearchParameters, options?: UnconditionalCallOptions): Promise<SearchResult>;
  search(
    parameters: SearchParameters,
    options: ConditionalCallOptions,
  ): Promise<SearchResult | UnchangedSearch>;
  async search(
    parameters: SearchParameters = {},
    options: ConditionalCallOptions = {},
  ): Promise<SearchResult | UnchangedSearch> {
    const answer = await this.#sendConditional(`/search${queryOf(parameters)}`, options);
    const { etag, requestId } = answer;
    const nextCursor = answer.nextCursor(parameters.cursor);
    if (answer.isUnchanged) {
      return { unchanged: true, etag, credits: answer.creditsOfHeaders, nextCursor, requestId };
    }
    const body = answer.bodyWith<SearchBody>('total', 'returned', 'creators');
    const { credits } = answer;
    const { names: unknownFilters, closestValues } = answer.unknownFilters;
    return { ...body, unchanged: false, etag, credits, nextCursor, requestId, unknownFilters, closestValues };
  }

  /**
   * All creators that match, or all pages of them with `.pages()`. `cursor` in the parameters continues after a page.
   *
   * Every page costs the price of the search, so pages have 100 creators unless `limit` says otherwise. A page is asked for
   * once the one before has been used up: `break` ends the cost.
   */
  searchAll(parameters: SearchParameters = {}, options?: ManyCallsOptions): PagedList<Creator, SearchResult> {
    const { cursor: start, limit = pageSizeMax, ...filters } = parameters;
    return new PagedList(
      (cursor) => this.search({ ...filters, limit, cursor }, options),
      ({ creators }) => creators,
      start,
    );
  }

  /**
   * The whole profile of one creator. Throws `NotFoundError` when no published creator has this slug.
   *
   * Costs 1 credit; nothing when `ifNoneMatch` is the ETag of a profile that has not changed.
   */
  creator(slug: string, options?: UnconditionalCallOptions): Promise<CreatorResult>;
  creator(slug: string, options: ConditionalCallOptions): Promise<CreatorResult | UnchangedCreator>;
  async creator(
    slug: string,
    options: ConditionalCallOptions = {},
  ): Promise<CreatorResult | UnchangedCreator> {
    const answer = await this.#sendConditional(`/creators/${segmentOf('slug', slug)}`, options);
    const { etag, requestId } = answer;
    if (answer.isUnchanged) return { unchanged: true, etag, credits: answer.creditsOfHeaders, requestId };
    const body = answer.bodyWith<ProfileBody>('slug', 'name', 'platforms');
    return { ...body, unchanged: false, etag, credits: answer.credits, requestId };
  }

  /**
   * The profiles of up to 100 creators, each by its slug, or with the ETag of the profile that you have. One that no published creator
   * has is `not_found`, and fails no other.
   *
   * Costs 1 credit for each that is `found`. When the balance is too low for all of them, nothing is charged.
   */
  async creators(creators: readonly CreatorToRead[], options?: ChargedCallOptions): Promise<CreatorsResult> {
    const body = { creators: creators.map(creatorToReadOf) };
    const answer = await this.#http.sendCharged({ path: '/creators/batch', body }, options);
    const found = answer.bodyWith<ProfilesBody>('results');
    if (found.results.length !== creators.length) throw answer.unexpected('has another number of results');
    return { ...found, nextCursor: null, credits: answer.credits, requestId: answer.requestId };
  }

  /**
   * The profiles of any number of creators, a hundred in each call, or all calls with `.pages()`. A call is made once the one before has
   * been used up: `break` ends the cost. `cursor` continues after a page.
   */
  creatorsAll(
    creators: readonly CreatorToRead[],
    { cursor: start, ...options }: ManyCallsOptions & { readonly cursor?: string | undefined } = {},
  ): PagedList<ProfileEntry, CreatorsResult> {
    const read = async (cursor = '0'): Promise<CreatorsResult> => {
      const next = Number(cursor) + batchSize;
      const page = await this.creators(creators.slice(next - batchSize, next), options);
      return { ...page, nextCursor: next < creators.length ? String(next) : null };
    };
    return new PagedList(read, ({ results }) => results, creators.length === 0 ? null : start);
  }

  /** Your credits and when they expire. Free. */
  balance(options?: CallOptions): Promise<BalanceResult> {
    return this.#read<BalanceBody>('/balance', ['credits_remaining', 'lots'], options);
  }

  /** Answered calls and their credits by day, key and operation. Free. */
  async usage(days: UsageParameters = {}, options?: CallOptions): Promise<UsageResult> {
    return this.#read<UsageBody>(`/usage${queryOf(days)}`, ['from', 'to', 'usage'], options);
  }

  /** One page of the account's calls, newest first, and what each has cost. Free. */
  async calls(parameters: CallsParameters = {}, options?: CallOptions): Promise<CallsResult> {
    return this.#calls(`/calls${queryOf(parameters)}`, parameters.cursor, options);
  }

  /** All these calls, or all pages of them with `.pages()`. Free. */
  callsAll(parameters: CallsParameters = {}, options?: ManyCallsOptions): PagedList<CallRecord, CallsResult> {
    const { cursor: start, limit = pageSizeMax, ...conditions } = parameters;
    return new PagedList(
      (cursor) => this.calls({ ...conditions, limit, cursor }, options),
      ({ calls }) => calls,
      start,
    );
  }

  /**
   * What became of a call: `requestId` of its result or of its error. Each attempt that reached the ledger is one entry; a
   * call without any has taken nothing. Free.
   */
  async call(requestId: string, options?: CallOptions): Promise<CallsResult> {
    return this.#calls(`/calls/${segmentOf('requestId', requestId)}`, undefined, options);
  }

  /** The countries, categories, languages and platforms that searches can ask for. Free. */
  filters(options?: CallOptions): Promise<FiltersResult> {
    const fields = ['countries', 'categories', 'languages', 'platforms'] as const;
    return this.#read<FiltersBody>('/filters', fields, options);
  }

  /**
   * The creator who has an account; `slug` is `null` when none has. Throws `InvalidRequestError` for what is no account,
   * for example a link to a post. Free.
   */
  async lookup(account: AccountToLookUp, options?: CallOptions): Promise<LookupResult> {
    return this.#read<LookupBody>(`/lookup${queryOf(lookupOf(account))}`, ['slug'], options);
  }

  /**
   * The creators who have these accounts, in the same order, up to a hundred in each call. An invalid one has a `problem`, and does
   * not fail the others. Free.
   */
  async lookupAll(accounts: readonly AccountToLookUp[], options?: ManyCallsOptions): Promise<LookupResult[]> {
    const found: LookupResult[] = [];
    for (const batch of batchesOf(accounts.map(lookupOf))) {
      const answer = await this.#http.send({ path: '/lookup', body: { accounts: batch } }, options);
      const { results } = answer.bodyWith<LookupsBody>('results');
      if (results.length !== batch.length) throw answer.unexpected('has another number of results');
      found.push(...results.map((result) => ({ ...result, requestId: answer.requestId })));
    }
    return found;
  }

  #sendConditional(path: string, options: ConditionalCallOptions): Promise<Answer> {
    const { ifNoneMatch, ...callOptions } = options;
    return this.#http.sendCharged({ path, headers: conditionOf(ifNoneMatch) }, callOptions);
  }

  /** The answer to a free call, which has these fields at least. */
  async #read<Body>(
    path: string,
    fields: readonly (keyof Body & string)[],
    options?: CallOptions,
  ): Promise<Body & Result> {
    const answer = await this.#http.send({ path }, options);
    return { ...answer.bodyWith<Body>(...fields), requestId: answer.requestId };
  }

  async #calls(path: string, cursor?: string, options?: CallOptions): Promise<CallsResult> {
    const answer = await this.#http.send({ path }, options);
    const body = answer.bodyWith<CallsBody>('calls');
    return { ...body, nextCursor: answer.nextCursor(cursor), requestId: answer.requestId };
  }
}

function conditionOf(etag: string | null | undefined): Record<string, string> {
  if (!etag) return {};
  if (!/^[\x21-\x7e]+$/.test(etag)) {
    throw new TypeError('ifNoneMatch must be the etag of an earlier answer, as it was.');
  }
  return { 'if-none-match': etag };
}

function creatorToReadOf(creator: CreatorToRead): object {
  if (typeof creator === 'string') return { slug: creator };
  const { slug, etag } = creator;
  return etag ? { slug, etag } : { slug };
}

function lookupOf(account: AccountToLookUp): object {
  return typeof account === 'string'
    ? { url: account }
    : { platform: account.platform, handle: account.handle };
}

/** Splits items into lists that fit in a body, by their number and by their bytes as JSON. */
function* batchesOf(items: readonly object[]): Generator<readonly object[]> {
  const encoder = new TextEncoder();
  let batch: object[] = [];
  let bytes = 0;
  for (const item of items) {
    const added = encoder.encode(JSON.stringify(item)).length + 1;
    if (batch.length === batchSize || (batch.length > 0 && bytes + added > batchBytesMax)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += added;
  }
  if (batch.length > 0) yield batch;
}

/**
 * The query string of these parameters, `undefined` left out. Throws a `TypeError` for a value that is neither a string nor
 * a number: `null` or a list would be sent as words, and paid for.
 */
function queryOf(values: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    if (value === undefined) continue;
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new TypeError(`${name} must be a string or a number; leave it out to ask without it.`);
    }
    parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** Text as one segment of a path. Throws a `TypeError` when it is missing. */
function segmentOf(name: string, text: string): string {
  if (typeof text !== 'string' || text === '') {
    throw new TypeError(`${name} must be a string that is not empty.`);
  }
  return encodeURIComponent(text);
}
