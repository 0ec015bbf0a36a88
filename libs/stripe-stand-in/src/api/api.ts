import { randomUUID } from 'node:crypto';
import { type Books } from '../books/books.js';
import { RefusedRequest, StandInError } from '../books/stand-in-error.js';
import { Expansion } from './expand.js';
import { BrokenConnection, type Failure, failureOf, Failures } from './failures.js';
import { readForm, textsAt } from './form.js';
import { IdempotentRequests } from './idempotency.js';
import { Permissions } from './permissions.js';
import { type ApiCall, findRoute, type FoundRoute, type Reply } from './routes.js';

/** A request as it arrived. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
}

/** A request that is to be answered, and what answers it. */
interface Asked extends FoundRoute {
  readonly call: ApiCall;
  /** `undefined`: none was sent, or it has no meaning because nothing is written. */
  readonly key: string | undefined;
  readonly fingerprint: string;
}

/**
 * Stands between a request and its work, for tests: it may wait, leave out the work, or throw. What it throws breaks the
 * connection without an answer.
 */
export type Intercept = (call: ApiCall, run: () => Promise<Reply>) => Promise<Reply>;

/** The HTTP API: who asks, what was asked already, what fails on demand, and the answer as JSON. */
export class Api {
  /** Default: nothing. */
  intercept: Intercept = (_call, run) => run();
  readonly failures = new Failures();
  readonly permissions: Permissions;
  private readonly idempotent = new IdempotentRequests();

  constructor(
    private readonly books: Books,
    private readonly secretKey: string,
  ) {
    this.permissions = new Permissions(secretKey);
  }

  async answer(request: ApiRequest): Promise<Reply> {
    const { method, path, body, query } = request;
    const call = { method, path, form: readForm(method === 'GET' ? query : body) };
    const reply = await this.intercept(call, () => this.run(request, call).catch(replyOrThrow));
    return { ...reply, headers: { ...reply.headers, 'request-id': `req_${randomUUID()}` } };
  }

  private async run({ body, idempotencyKey, authorization }: ApiRequest, call: ApiCall): Promise<Reply> {
    if (authorization !== `Bearer ${this.secretKey}`) {
      throw new StandInError(401, 'Invalid API Key provided.');
    }
    const found = findRoute(call);
    if (!found) throw new StandInError(404, `Unrecognized request URL (${call.method}: ${call.path}).`);
    const key = call.method === 'POST' ? idempotencyKey : undefined;
    const asked: Asked = { call, ...found, key, fingerprint: `${call.path}\n${body}` };
    const failure = this.failures.next(asked.operation);
    if (!failure || failure.kind === '500') return this.runOnce(asked, failure);
    this.failures.spend(failure);
    if (failure.kind === 'time out' || failure.kind === 'break') return this.loseAnswer(asked, failure);
    throw failureOf(failure.kind, key !== undefined);
  }

  private loseAnswer(asked: Asked, { kind, when }: Failure): Promise<never> {
    if (when === 'after') answerOrRefusal(() => this.runOnce(asked));
    if (kind === 'break') throw new BrokenConnection('the connection breaks, as a test wants it');
    return new Promise<never>(() => undefined);
  }

  /** Runs it unless its outcome is known. What failed once its work was begun is an outcome, too. */
  private runOnce(asked: Asked, failure?: Failure): Reply {
    const { key, fingerprint, route, call } = asked;
    this.permissions.check(route.resource, call.method === 'POST' ? 'write' : 'read');
    if (key !== undefined && key.length > 255) {
      throw new StandInError(400, 'Idempotency keys can only be up to 255 characters long.');
    }
    const known = key === undefined ? undefined : this.idempotent.replay(key, fingerprint);
    if (known) return known;
    const reply = this.execute(asked, failure);
    if (key !== undefined) this.idempotent.store(key, fingerprint, reply);
    return reply;
  }

  /** Throws `RefusedRequest` when it is not to be stored. */
  private execute(asked: Asked, failure: Failure | undefined): Reply {
    try {
      if (failure?.when !== 'after') this.failIfAsked(asked, failure);
      const body = this.work(asked);
      this.failIfAsked(asked, failure);
      return { status: 200, body };
    } catch (error) {
      if (error instanceof RefusedRequest) throw error;
      return replyOrThrow(error);
    }
  }

  private failIfAsked({ key }: Asked, failure: Failure | undefined): void {
    if (!failure) return;
    this.failures.spend(failure);
    throw failureOf('500', key !== undefined);
  }

  /** The result is a copy, with what was to be expanded. */
  private work({ call, route, id }: Asked): object {
    this.books.payments.expireOld();
    const result = structuredClone(route.run(this.books, call, id));
    const expansion = new Expansion(this.books.records, this.permissions);
    for (const path of Object.values(textsAt(call.form, 'expand'))) expansion.expand(result, path);
    return result;
  }
}

function answerOrRefusal(work: () => Reply): Reply {
  try {
    return work();
  } catch (error) {
    return replyOrThrow(error);
  }
}

/** The library repeats no request whose failure is stored. */
function replyOrThrow(error: unknown): Reply {
  if (!(error instanceof StandInError)) throw error;
  const { status, body } = error;
  return { status, body, ...(status >= 500 && { headers: { 'stripe-should-retry': 'false' } }) };
}
