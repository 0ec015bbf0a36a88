import { type ErrorDetails } from '@app/contracts';
import { type Connection, nothingAnswers } from './connection.js';
import { ApiError, CliError } from './errors.js';

type Query = Readonly<Record<string, string | undefined>>;

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/admin/v1`; each segment encoded by `path`. */
  readonly path: string;
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
}

export interface ApiReply<Body> {
  readonly status: number;
  readonly body: Body;
}

/** A path from its segments, each percent-encoded. */
export function path(...segments: string[]): string {
  return segments.map((segment) => `/${encodeURIComponent(segment)}`).join('');
}

/** Calls the admin API. Raises `ApiError` for an error reply and `CliError` when none comes. */
export class AdminClient {
  constructor(private readonly connection: Connection) {}

  async call<Body>({ method, path: at, query, body }: Call): Promise<Body> {
    const reply = await this.callWithStatus<Body>({ method, path: at, query, body });
    return reply.body;
  }

  callWithStatus<Body>({ method, path: at, query, body }: Call): Promise<ApiReply<Body>> {
    const url = this.url(at, query);
    if (body === undefined) return this.send<Body>(url, { method });
    const headers = { 'content-type': 'application/json' };
    return this.send<Body>(url, { method, headers, body: JSON.stringify(body) });
  }

  /** Sends NDJSON as it comes; `lines` is read no faster than the service takes it. */
  async upload<Body>(at: string, lines: AsyncIterable<Uint8Array>): Promise<Body> {
    const headers = { 'content-type': 'application/x-ndjson' };
    const reply = await this.send<Body>(this.url(at), {
      method: 'POST',
      headers,
      body: lines,
      duplex: 'half',
    });
    return reply.body;
  }

  /** The text of a reply that is no JSON, piece by piece. */
  async *download(at: string): AsyncGenerator<string> {
    const headers = { authorization: `Bearer ${this.connection.token}` };
    const response = await fetch(this.url(at), { headers }).catch((error: unknown) => {
      throw this.explain(error);
    });
    if (!response.ok) throw errorOf(response.status, parse(await response.text()));
    const text = response.body?.pipeThrough(new TextDecoderStream());
    if (text) yield* text as AsyncIterable<string>;
  }

  private url(at: string, query: Query = {}): URL {
    const url = new URL(`${this.connection.url}/admin/v1${at}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, value);
    }
    return url;
  }

  private async send<Body>(url: URL, request: RequestInit): Promise<ApiReply<Body>> {
    const headers = { ...request.headers, authorization: `Bearer ${this.connection.token}` };
    let response: Response;
    let text: string;
    try {
      response = await fetch(url, { ...request, headers });
      text = await response.text();
    } catch (error) {
      throw this.explain(error);
    }
    const body = parse(text);
    if (!response.ok) throw errorOf(response.status, body);
    if (body === undefined) {
      throw new CliError(`${url.origin} did not answer with JSON: is it the admin API?`);
    }
    return { status: response.status, body: body as Body };
  }

  /** `fetch` says only "fetch failed"; the reason is in its cause. */
  private explain(error: unknown): CliError {
    const { code, message } = reasonOf(error);
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return nothingAnswers(this.connection.url);
    return new CliError(`The connection to ${this.connection.url} failed: ${message}`);
  }
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

function errorOf(status: number, body: unknown): ApiError {
  const { error, details } = (isObject(body) ? body : {}) as {
    error?: string;
    details?: ErrorDetails;
  };
  return new ApiError(status, error ?? `The service answered with status ${status}.`, details);
}
