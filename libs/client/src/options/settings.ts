import { Secret } from './secret.js';
import { type CallOptions, type ClientOptions, type Fetch } from './options.js';

/** The options of a client, checked and with their defaults. */
export interface Settings extends Limits {
  readonly key: Secret;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly signals: readonly AbortSignal[];
}

export interface Limits {
  readonly timeoutMs: number;
  readonly retries: number;
  readonly retryWaitMaxMs: number;
}

export const apiPath = '/api/public/v1';
const defaults: Limits = { timeoutMs: 30_000, retries: 3, retryWaitMaxMs: 60_000 };
/** What timers can hold: a longer one ends at once. */
const timerMaxMs = 2 ** 31 - 1;
const retriesMax = 100;

/**
 * Throws a `TypeError` that says which option is wrong and how to fix it; it never shows the key. Without types a client can be
 * created without options: then too it is named what is missing.
 */
export function readOptions(options: Partial<ClientOptions> = {}): Settings {
  if (!options.dangerouslyAllowBrowser) refuseBrowsers();
  return {
    key: readKey(options.apiKey),
    baseUrl: readBaseUrl(options.baseUrl),
    // Looked up for every call, so that it can be replaced, for example by a tool that records calls.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    signals: options.signal ? [options.signal] : [],
    ...readLimits(options, defaults),
  };
}

/** The limits of one call: those of its client, unless it has its own. */
export function readLimits(options: CallOptions, { timeoutMs, retries, retryWaitMaxMs }: Limits): Limits {
  return {
    timeoutMs: integer('timeoutMs', options.timeoutMs ?? timeoutMs, 1, timerMaxMs),
    retries: integer('retries', options.retries ?? retries, 0, retriesMax),
    retryWaitMaxMs: integer('retryWaitMaxMs', options.retryWaitMaxMs ?? retryWaitMaxMs, 0, timerMaxMs / 2),
  };
}

function readKey(given: string | undefined): Secret {
  const key = given?.trim() ?? '';
  if (key === '') {
    throw new TypeError('apiKey is missing: pass the API key, for example from an environment variable.');
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError('apiKey must not contain white space or characters outside of ASCII.');
  }
  return new Secret(key);
}

function readBaseUrl(given: string | undefined): string {
  const example = 'for example https://api.example.com';
  if (!given) throw new TypeError(`baseUrl is missing: pass where the service is, ${example}.`);
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError(`baseUrl must be an http or https URL, ${example}.`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError(`baseUrl must have no user, password, query or fragment, ${example}.`);
  }
  const base = url.href.replace(/\/+$/, '');
  if (base.endsWith(apiPath)) throw new TypeError(`baseUrl must end before ${apiPath}, ${example}.`);
  return base;
}

function integer(name: string, value: number, min: number, max: number): number {
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new TypeError(`${name} must be an integer between ${min} and ${Math.floor(max)}.`);
}

interface Navigator {
  readonly userAgent?: string;
  readonly product?: string;
}

/**
 * Throws where people could read the key: in a browser's pages and workers, all of which call themselves Mozilla, and in
 * React Native. Servers and edge workers have no navigator, or one with another name.
 */
function refuseBrowsers(): void {
  const navigator = Reflect.get(globalThis, 'navigator') as Navigator | undefined;
  if (!navigator?.userAgent?.startsWith('Mozilla/') && navigator?.product !== 'ReactNative') return;
  throw new TypeError(
    'This runs on a device of your users, who could read the API key and spend its credits: call the service from your ' +
      'server. If the key belongs to the user of the device, dangerouslyAllowBrowser: true allows it.',
  );
}
