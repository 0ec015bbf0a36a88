import { randomUUID } from 'node:crypto';
import { request as requestHttp, type OutgoingHttpHeaders } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type ErrorDetails, isRecord } from '#contracts';
import { type Connection, noAnswerError } from './connection.js';
import { ApiError, CliError, LostConnectionError } from './errors.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Query = Readonly<Record<string, unknown>>;

interface Call {
  readonly method: Method;
  /** Path below `/admin/v1`, with values encoded by `path`. */
  readonly path: string;
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Names a request that creates something, so that it can be repeated. */
  readonly idempotencyKey?: string;
}

export interface ApiReply<Body> {
  readonly status: number;
  readonly body: Body;
}

/** A path whose values are percent-encoded: path`/accounts/${id}/keys`. */
export function path(texts: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: texts }, ...values.map(encodeURIComponent));
}

/** Long enough for services to restart and gateways to be replaced. */
const tryAgainAfterMs = 1_000;

/** Calls the admin API. Throws `ApiError` for an error response and `CliError` when there is no response. */
export class AdminClient {
  constructor(private readonly connection: Connection) {}

  async call<Body>({ method, path: at, query, body, idempotencyKey }: Call): Promise<ApiReply<Body>> {
    const url = this.url(at, query);
    const headers = {
      ...this.authorization,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    };
    try {
      const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
      return read<Body>(url, response.status, await response.text());
    } catch (error) {
      throw this.explain(error);
    }
  }

  async get<Body>(at: string, query?: Query): Promise<Body> {
    return (await this.call<Body>({ method: 'GET', path: at, query })).body;
  }

  async post<Body>(at: string, body?: unknown): Promise<Body> {
    return (await this.call<Body>({ method: 'POST', path: at, body })).body;
  }

  /** The items of all pages of a list. */
  async *all<Item>(at: string, items: string, query: Query = {}): AsyncGenerator<Item> {
    let cursor: string | null | undefined;
    do {
      const page: Readonly<Record<string, unknown>> = await this.get(at, { ...query, cursor });
      yield* page[items] as Item[];
      cursor = page.next_cursor as string | null;
    } while (cursor !== null);
  }

  /** Creates one thing, although the request is repeated after a 503 or when there is no response. */
  async create<Body>(creation: Call): Promise<ApiReply<Body>> {
    const call = { ...creation, idempotencyKey: randomUUID() };
    try {
      return await this.call<Body>(call);
    } catch (error) {
      if (!mayHaveBeenDone(error)) throw error;
      await delay(tryAgainAfterMs);
    }
    try {
      return await this.call<Body>(call);
    } catch (error) {
      // Whatever the second error, the first request may have succeeded.
      if (!(error instanceof CliError) || (error instanceof ApiError && !mayHaveBeenDone(error))) throw error;
      throw new CliError(`${error.message} It may have been created anyway: check before you try again.`);
    }
  }

  /** Streams NDJSON; `lines` is read no faster than the service accepts it. */
  async upload<Body>(at: string, lines: AsyncIterable<Uint8Array>, query?: Query): Promise<Body> {
    const url = this.url(at, query);
    const headers = { ...this.authorization, 'content-type': 'application/x-ndjson' };
    const { status, body } = await postStream(url, headers, lines).catch((error: unknown) => {
      throw this.explain(error);
    });
    return read<Body>(url, status, body).body;
  }

  /** The text of a response that is not JSON, in pieces. */
  async *download(at: string): AsyncGenerator<string> {
    try {
      const response = await fetch(this.url(at), { headers: this.authorization });
      if (!response.ok) throw errorOf(response.status, parse(await response.text()));
      const text = response.body?.pipeThrough(new TextDecoderStream());
      if (text) yield* text as AsyncIterable<string>;
    } catch (error) {
      throw this.explain(error);
    }
  }

  private get authorization(): { readonly authorization: string } {
    return { authorization: `Bearer ${this.connection.token}` };
  }

  private url(at: string, query: Query = {}): URL {
    const url = new URL(`${this.connection.url}/admin/v1${at}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) {
        url.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value));
      }
    }
    return url;
  }

  /** `fetch` only reports "fetch failed"; the reason is in its cause. */
  private explain(error: unknown): CliError {
    if (error instanceof CliError) return error;
    const { code, message } = reasonOf(error);
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return noAnswerError(this.connection.url);
    return new LostConnectionError(`The connection to ${this.connection.url} failed: ${message}.`);
  }
}

/**
 * Sends pieces as the body of a POST, read no faster than they are taken. Resolves to the answer, also when it comes
 * before all is sent. Not by `fetch`, which keeps what it has sent in memory until the answer.
 */
function postStream(
  url: URL,
  headers: OutgoingHttpHeaders,
  pieces: AsyncIterable<Uint8Array>,
): Promise<ApiReply<string>> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const body = Readable.from(pieces, { objectMode: false });
  const request = send(url, { method: 'POST', headers });
  return new Promise<ApiReply<string>>((resolve, reject) => {
    let isAnswered = false;
    request.on('response', (response) => {
      isAnswered = true;
      text(response).then((read) => resolve({ status: response.statusCode ?? 0, body: read }), reject);
    });
    pipeline(body, request, (error) => {
      // An answer may come before the end of the body, and says more than that this was not read.
      if (error && !isAnswered) reject(error);
    });
  }).finally(() => body.destroy());
}

/** Whether the request may have succeeded despite the error. */
function mayHaveBeenDone(error: unknown): boolean {
  return error instanceof LostConnectionError || (error instanceof ApiError && error.status === 503);
}

function reasonOf(error: unknown): { code?: unknown; message: string } {
  if (!isRecord(error)) return { message: String(error) };
  if (isRecord(error.cause)) return reasonOf(error.cause);
  return { code: error.code, message: typeof error.message === 'string' ? error.message : 'no answer' };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function read<Body>(url: URL, status: number, text: string): ApiReply<Body> {
  const body = parse(text);
  if (status < 200 || status > 299) throw errorOf(status, body);
  if (body === undefined) throw new CliError(`${url.origin} did not answer with JSON: is it the admin API?`);
  return { status, body: body as Body };
}

function errorOf(status: number, body: unknown): ApiError {
  const { error, details } = (isRecord(body) ? body : {}) as { error?: string; details?: ErrorDetails };
  return new ApiError(status, error ?? `The service answered with status ${status}.`, details);
}
