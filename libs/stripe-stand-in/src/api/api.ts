import { randomUUID } from 'node:crypto';
import { type Books } from '../books/books.js';
import { StandInError } from '../books/stand-in-error.js';
import { readForm } from './form.js';
import { IdempotentRequests } from './idempotency.js';
import { type Reply } from './reply.js';
import { type ApiCall, runCall } from './routes.js';

/** A request as it arrived. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
}

/**
 * Stands between a request and its work, for tests: it may wait, leave out the work, or throw. What it throws breaks the
 * connection without an answer.
 */
export type Intercept = (call: ApiCall, run: () => Promise<Reply>) => Promise<Reply>;

/** The HTTP API: who asks, what was asked already, and the answer as JSON. */
export class Api {
  /** Default: nothing. */
  intercept: Intercept = (_call, run) => run();
  private readonly idempotent = new IdempotentRequests();

  constructor(
    private readonly books: Books,
    private readonly secretKey: string,
  ) {}

  async answer(request: ApiRequest): Promise<Reply> {
    const { method, path, body, query } = request;
    const call = { method, path, form: readForm(method === 'GET' ? query : body) };
    const reply = await this.intercept(call, () => Promise.resolve(this.runOrRefuse(request, call)));
    return { ...reply, headers: { ...reply.headers, 'request-id': `req_${randomUUID()}` } };
  }

  private runOrRefuse(request: ApiRequest, call: ApiCall): Reply {
    try {
      return this.run(request, call);
    } catch (error) {
      if (error instanceof StandInError) return { status: error.status, body: error.body };
      throw error;
    }
  }

  private run({ body, idempotencyKey, authorization }: ApiRequest, call: ApiCall): Reply {
    if (authorization !== `Bearer ${this.secretKey}`) {
      throw new StandInError(401, 'Invalid API Key provided.');
    }
    const work = (): Reply => ({ status: 200, body: runCall(this.books, call) });
    if (call.method !== 'POST' || idempotencyKey === undefined) return work();
    return this.idempotent.run(idempotencyKey, `${call.path}\n${body}`, work);
  }
}
