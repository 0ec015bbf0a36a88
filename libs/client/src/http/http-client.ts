import { type Answer } from '../answers/answer.js';
import { readAnswer, type Received } from '../answers/read-answer.js';
import { ConnectionError, TimeoutError } from '../errors.js';
import { type CallOptions, type ChargedCallOptions } from '../options/options.js';
import { apiPath, type Limits, readLimits, type Settings } from '../options/settings.js';
import { Aborted, wait } from './abort.js';
import { type Attempt, sendAttempt, TimedOut } from './attempt.js';
import { freeRepeats, Retries } from './retries.js';

/** What to ask of the API. */
export interface ApiRequest {
  /** Below `/api/public/v1`, with its query. */
  readonly path: string;
  /** Sent as JSON, by POST. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call: one request, however often it is sent. */
interface Call {
  readonly attempt: Attempt;
  readonly requestId: string;
  readonly limits: Limits;
}

/** Version of this package, as in its package.json. */
export const version = '0.1.0';
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
const idempotencyKeyPattern = /^[\x21-\x7e]{1,200}$/;

/** Sends calls, again after temporary failures, and reads their answers. */
export class HttpClient {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** A call that is free. */
  send(request: ApiRequest, options: CallOptions = {}): Promise<Answer> {
    return withReason(this.#sendUntilAnswered(request, options));
  }

  /** A call that costs credits: all its attempts have one idempotency key, so that it is paid once. */
  async sendCharged(request: ApiRequest, options: ChargedCallOptions = {}): Promise<Answer> {
    const key = options.idempotencyKey ?? crypto.randomUUID();
    if (!idempotencyKeyPattern.test(key)) {
      throw new TypeError('idempotencyKey must have 1 to 200 visible ASCII characters.');
    }
    const headers = { ...request.headers, 'idempotency-key': key };
    return withReason(this.#sendUntilAnswered({ ...request, headers }, options, freeRepeats));
  }

  async #sendUntilAnswered(request: ApiRequest, options: CallOptions, repeatsMax?: number): Promise<Answer> {
    const call = this.#prepare(request, options);
    const retries = new Retries(call.limits, repeatsMax);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(call, attempt);
      } catch (error) {
        const waitMs = retries.waitAfter(error);
        if (waitMs === null) throw error;
        await wait(waitMs, call.attempt.signals);
      }
    }
  }

  #prepare({ path, body, headers = {} }: ApiRequest, options: CallOptions): Call {
    const { key, baseUrl, fetch, signals } = this.#settings;
    const requestId = options.requestId ?? crypto.randomUUID();
    if (!idPattern.test(requestId)) {
      throw new TypeError(
        'requestId must have 1 to 128 letters, digits and . _ : - and begin with a letter or a digit.',
      );
    }
    const allHeaders = {
      accept: 'application/json',
      authorization: key.authorization,
      'user-agent': `creator-search-client/${version}`,
      'x-request-id': requestId,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    };
    const limits = readLimits(options, this.#settings);
    const attempt = {
      fetch,
      url: baseUrl + apiPath + path,
      init: body
        ? { method: 'POST' as const, headers: allHeaders, body: JSON.stringify(body) }
        : { method: 'GET' as const, headers: allHeaders },
      timeoutMs: limits.timeoutMs,
      signals: options.signal ? [...signals, options.signal] : signals,
    };
    return { attempt, requestId, limits };
  }

  /** Sends the call once. Throws a `CreatorSearchError`, or `Aborted`. */
  async #attempt(call: Call, attempts: number): Promise<Answer> {
    const received = await this.#sendOnce(call, attempts);
    const text = this.#settings.key.redact(received.text);
    return readAnswer({ ...received, text }, { requestId: call.requestId, attempts });
  }

  async #sendOnce({ attempt, requestId }: Call, attempts: number): Promise<Received> {
    const { key, baseUrl } = this.#settings;
    const context = { requestId, attempts, status: null };
    try {
      return await sendAttempt(attempt);
    } catch (error) {
      if (error instanceof Aborted) throw error;
      const failure = `No complete response from ${baseUrl}`;
      if (error instanceof TimedOut) {
        throw new TimeoutError(`${failure} within ${attempt.timeoutMs} ms.`, context);
      }
      const cause = key.redactError(error);
      throw new ConnectionError(`${failure}: ${reasonOf(cause)}.`, { ...context, cause });
    }
  }
}

/** An aborted call is rejected with what its caller gave as the reason, as `fetch` does. */
async function withReason(answer: Promise<Answer>): Promise<Answer> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof Aborted ? error.reason : error;
  }
}

/** The innermost reason of what `fetch` has thrown: outside it often says only `fetch failed`. */
function reasonOf(error: Error): string {
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return error.message === '' ? code : error.message;
}
