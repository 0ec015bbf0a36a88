import { once } from 'node:events';
import { connect } from 'node:net';
import { type LotView } from '#contracts';
import { type Stack } from '#local-stack';
import { type AdminClient, path } from '../cli/admin-client.js';

/** One answer of the public API. */
export interface Answer {
  readonly headers: Headers;
  readonly body: unknown;
}

/** What is sent as the request id of every call. */
export const requestId = 'order-4711';

/** Calls the public API with one key, or without one. */
export class ExampleCaller {
  constructor(
    private readonly stack: Stack,
    private readonly key?: string,
  ) {}

  async get(at: string, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(this.urlOf(at), { headers: { ...this.headers, ...headers } });
    return { headers: response.headers, body: await response.json() };
  }

  async post(at: string, body: string, headers: Record<string, string> = {}): Promise<Answer> {
    const all = { ...this.headers, 'content-type': 'application/json', ...headers };
    const response = await fetch(this.urlOf(at), { method: 'POST', body, headers: all });
    return { headers: response.headers, body: await response.json() };
  }

  /**
   * What `during` resolves to while a call is being answered: one that has closed its side of the connection gets the
   * rest of its answer some hundred milliseconds after the first byte.
   */
  async whileAnswered<Result>(
    at: string,
    headers: Record<string, string>,
    during: () => Promise<Result>,
  ): Promise<Result> {
    const { hostname, port, pathname, search } = new URL(this.urlOf(at));
    const lines = Object.entries({ host: hostname, ...this.headers, ...headers });
    const socket = connect(Number(port), hostname);
    socket.end(
      [`GET ${pathname}${search} HTTP/1.1`, ...lines.map((line) => line.join(': ')), '', ''].join('\r\n'),
    );
    try {
      await once(socket, 'data');
      return await during();
    } finally {
      socket.destroy();
    }
  }

  private urlOf(at: string): string {
    return `${this.stack.publicUrl}/api/public/v1${at}`;
  }

  private get headers(): Record<string, string> {
    const authorization: Record<string, string> = this.key ? { authorization: `Bearer ${this.key}` } : {};
    return { ...authorization, 'x-request-id': requestId };
  }
}

/** Creates accounts for examples. */
export class ExampleAccounts {
  constructor(
    private readonly stack: Stack,
    private readonly admin: AdminClient,
  ) {}

  /** A caller with a Trial pack, bought a week ago, and 10 credits given as goodwill. */
  async buyer(): Promise<ExampleCaller> {
    const id = await this.create();
    const boughtAt = new Date(Date.now() - 7 * 86_400_000).toISOString();
    await this.post<LotView>(id, 'purchases', {
      pack: 'trial',
      reference: 'invoice-1',
      purchased_at: boughtAt,
    });
    return this.callerWith(id, 10);
  }

  /** A caller with exactly so many credits. */
  async withCredits(credits: number): Promise<ExampleCaller> {
    return this.callerWith(await this.create(), credits);
  }

  /** A caller whose key has spent all of its monthly limit: the price of the profile of this creator. */
  async withLimitUsed(slug: string): Promise<ExampleCaller> {
    const caller = await this.callerWith(await this.create(), 50, { monthly_limit: 1 });
    await caller.get(`/creators/${slug}`);
    return caller;
  }

  private async create(): Promise<string> {
    const body = { name: 'Example', email: 'team@example.com' };
    return (await this.admin.post<{ id: string }>('/accounts', body)).id;
  }

  private async callerWith(id: string, credits: number, limits: object = {}): Promise<ExampleCaller> {
    await this.post(id, 'adjustments', { credits, reason: 'example', reference: 'goodwill-1' });
    const { key } = await this.post<{ key: string }>(id, 'keys', { name: 'example', ...limits });
    return new ExampleCaller(this.stack, key);
  }

  private post<Body>(id: string, noun: string, body: object): Promise<Body> {
    return this.admin.post<Body>(path`/accounts/${id}/${noun}`, body);
  }
}
