import { type Received } from '../answers/read-answer.js';
import { type Fetch, type FetchInit } from '../options/options.js';
import { Aborted, onAbort } from './abort.js';

/** One sending of a call, which may be sent again. */
export interface Attempt {
  readonly fetch: Fetch;
  readonly url: string;
  readonly init: Omit<FetchInit, 'signal' | 'redirect'>;
  readonly timeoutMs: number;
  readonly signals: readonly AbortSignal[];
}

/** The reason of an attempt that took too long. */
export class TimedOut extends Error {}

/**
 * Sends one request and reads the whole answer, within `timeoutMs`. Redirects are not followed: they could take the key
 * to another server. Throws `Aborted`, `TimedOut`, or what `fetch` throws.
 */
export async function sendAttempt({ fetch, url, init, timeoutMs, signals }: Attempt): Promise<Received> {
  const ending = new AbortController();
  const ended = new Promise<never>((_resolve, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason as Error));
  });
  const timer = setTimeout(() => ending.abort(new TimedOut()), timeoutMs);
  const ignore = onAbort(signals, (reason) => ending.abort(new Aborted(reason)));
  try {
    const received = receive(fetch, url, { ...init, redirect: 'manual', signal: ending.signal });
    // Also for a `fetch` that takes no notice of its signal.
    return await Promise.race([received, ended]);
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : error;
  } finally {
    clearTimeout(timer);
    ignore();
  }
}

async function receive(fetch: Fetch, url: string, init: FetchInit): Promise<Received> {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}
