import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ErrorDetails } from '#contracts';
import { type Connection, nothingAnswers } from './connection.js';
import { ApiError, CliError, LostConnectionError } from './errors.js';
import { postStream } from './post-stream.js';

export type Query = Readonly<Record<string, string | undefined>>;

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/admin/v1`; values in it encoded by `path`. */
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

  async call<Body>(call: Call): Promise<Body> {
    const reply = await this.callWithStatus<Body>(call);
    return reply.body;
  }

  get<Body>(at: string, query?: Query): Promise<Body> {
    return this.call<Body>({ method: 'GET', path: at, query });
  }

  post<Body>(at: string, body: unknown): Promise<Body> {
    return this.call<Body>({ method: 'POST', path: at, body });
  }

  callWithStatus<Body>({ method, path: at, query, body, idempotencyKey }: Call): Promise<ApiReply<Body>> {
    const url = this.url(at, query);
    if (body === undefined) return this.send<Body>(url, { method });
    const headers = {
      'content-type': 'application/json',
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    };
    return this.send<Body>(url, { method, headers, body: JSON.stringify(body) });
  }

  /** Creates one thing, although the request is repeated after a 503 or when there is no response. */
  async create<Body>(at: string, body: unknown): Promise<Body> {
    const call = { method: 'POST', path: at, body, idempotencyKey: randomUUID() } as const;
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
    const { status, text } = await postStream(url, headers, lines).catch((error: unknown) => {
      throw this.explain(error);
    });
    return read<Body>(url, status, text).body;
  }

  /** The text of a response that is not JSON, in pieces. */
  async *download(at: string): AsyncGenerator<string> {
    const response = await fetch(this.url(at), { headers: this.authorization }).catch((error: unknown) => {
      throw this.explain(error);
    });
    if (!response.ok) throw errorOf(response.status, parse(await response.text()));
    const text = response.body?.pipeThrough(new TextDecoderStream());
    try {
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
      if (value !== undefined) url.searchParams.set(name, value);
    }
    return url;
  }

  private async send<Body>(url: URL, request: RequestInit): Promise<ApiReply<Body>> {
    const headers = { ...request.headers, ...this.authorization };
    try {
      const response = await fetch(url, { ...request, headers });
      return read<Body>(url, response.status, await response.text());
    } catch (error) {
      throw this.explain(error);
    }
  }

  /** `fetch` only reports "fetch failed"; the reason is in its cause. */
  private explain(error: unknown): CliError {
    if (error instanceof CliError) return error;
    const { code, message } = reasonOf(error);
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return nothingAnswers(this.connection.url);
    return new LostConnectionError(`The connection to ${this.connection.url} failed: ${message}.`);
  }
}

/** Whether the request may have succeeded despite the error. */
function mayHaveBeenDone(error: unknown): boolean {
  return error instanceof LostConnectionError || (error instanceof ApiError && error.status === 503);
}

function reasonOf(error: unknown): { code?: unknown; message: string } {
  if (!isObject(error)) return { message: String(error) };
  if (isObject(error.cause)) return reasonOf(error.cause);
  return { code: error.code, message: typeof error.message === 'string' ? error.message : 'no answer' };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
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
  const { error, details } = (isObject(body) ? body : {}) as {
    error?: string;
    details?: ErrorDetails;
  };
  return new ApiError(status, error ?? `The service answered with status ${status}.`, details);
}
