import { type PlatformName } from '../api.js';

/** The part of `fetch` that this client uses: `globalThis.fetch` fits, and so do those of undici and others. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

export interface FetchInit {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

export interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

export interface ClientOptions {
  /** The private key. `undefined` is refused, so that an environment variable can be passed as it is. */
  readonly apiKey: string | undefined;
  /** Where the service is, without `/api/public/v1`: `https://api.example.com`. */
  readonly baseUrl: string | undefined;
  /** Used instead of `globalThis.fetch`. */
  readonly fetch?: Fetch | undefined;
  /** How long one attempt may take until its answer is there as a whole, ms. Default: 30,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a call is sent again after a temporary failure; one that costs credits at most 5 times after a lost answer.
   * Default: 3.
   */
  readonly retries?: number | undefined;
  /** The longest wait before an attempt, ms. A longer `Retry-After` is not waited for but thrown. Default: 60,000. */
  readonly retryWaitMaxMs?: number | undefined;
  /** Ends every call of this client, waits included. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Allows the client in a browser or a mobile app, where users can read the key and spend its credits. Default: false, it
   * is refused there.
   */
  readonly dangerouslyAllowBrowser?: boolean | undefined;
}

/** Options of one call, instead of those of the client. */
export interface CallOptions {
  readonly timeoutMs?: number | undefined;
  readonly retries?: number | undefined;
  readonly retryWaitMaxMs?: number | undefined;
  /** Ends this call, its waits included; it then rejects with the signal's `reason`, as `fetch` does. */
  readonly signal?: AbortSignal | undefined;
  /** Up to 128 characters: letters, digits and `. _ : -`. Default: a random one. */
  readonly requestId?: string | undefined;
}

/** Options of one call that costs credits. */
export interface ChargedCallOptions extends CallOptions {
  /**
   * Names this call, so that it is paid once although it is sent up to six times within 15 minutes, by other processes too. 1 to 200
   * visible ASCII characters. Default: a random one, the same for all attempts.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Options of many calls: each has a request id and an idempotency key of its own. */
export type ManyCallsOptions = Omit<CallOptions, 'requestId'>;

/** An account on a platform, by its handle, with or without the leading `@`. */
export interface PlatformAccount {
  readonly platform: PlatformName;
  readonly handle: string;
}

/** A creator to read: the slug, or with the ETag of the profile that you have. */
export type CreatorToRead = string | { readonly slug: string; readonly etag?: string | null | undefined };

/** An account to look up: the URL of its page in any common form, or platform and handle. */
export type AccountToLookUp = string | PlatformAccount;
