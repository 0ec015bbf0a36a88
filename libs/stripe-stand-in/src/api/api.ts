import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders } from 'node:http';
import { type Records } from '../books/records.js';
import { RefusedRequest, StandInError } from '../books/stand-in-error.js';
import { type Failure, failureOf, Failures, Permissions } from './failures.js';
import { readForm, textsAt } from './form.js';
import { type ApiBooks, type ApiCall, findRoute, type FoundRoute, type Resource } from './routes.js';

/** A request with its whole body. */
export interface ReadRequest {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

/** An answer of the API, before it is written as JSON. */
export interface Reply {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request with the route that answers it. */
interface RoutedRequest extends FoundRoute {
  readonly call: ApiCall;
  /** `undefined`: none was sent, or it has no meaning because nothing is written. */
  readonly key: string | undefined;
  /** Content of the request, equal for a repeated one. */
  readonly content: string;
}

/**
 * Runs between a request and its work, for tests: it may wait, leave out the work, or throw. What it throws breaks the
 * connection without an answer.
 */
export type Intercept = (call: ApiCall, run: () => Promise<Reply>) => Promise<Reply>;

/** The HTTP API: checks the key, replays stored answers, fails on demand and answers as JSON. */
export class Api {
  /** Default: runs the request. */
  intercept: Intercept = (_call, run) => run();
  readonly failures = new Failures();
  readonly permissions: Permissions;
  /** The outcome of each Idempotency-Key, also when it was a failure. */
  private readonly stored = new Map<string, { readonly content: string; readonly reply: Reply }>();

  constructor(
    private readonly books: ApiBooks,
    private readonly secretKey: string,
  ) {
    this.permissions = new Permissions(secretKey);
  }

  async answer(request: ReadRequest): Promise<Reply> {
    const { method, url, body } = request;
    const form = readForm(method === 'GET' ? url.search.slice(1) : body);
    const call = { method, path: url.pathname, form };
    const reply = await this.intercept(
      call,
      () => new Promise((resolve) => resolve(this.runOrRefuse(request, call))),
    );
    return { ...reply, headers: { ...reply.headers, 'request-id': `req_${randomUUID()}` } };
  }

  private runOrRefuse(request: ReadRequest, call: ApiCall): Reply {
    try {
      return this.run(request, call);
    } catch (error) {
      return replyOrThrow(error);
    }
  }

  private run({ body, headers }: ReadRequest, call: ApiCall): Reply {
    if (headers.authorization !== `Bearer ${this.secretKey}`) throw failureOf('401');
    const key = call.method === 'POST' ? headers['idempotency-key']?.toString() : undefined;
    const routed: RoutedRequest = { call, ...findRoute(call), key, content: `${call.path}\n${body}` };
    const failure = this.failures.next(routed.operation);
    if (!failure || failure.kind === '500') return this.runOnce(routed, failure);
    this.failures.consume(failure);
    if (failure.kind !== 'break') throw failureOf(failure.kind);
    if (failure.when === 'after') this.runOnce(routed);
    throw new Error('the connection breaks: a test asked for it');
  }

  /** Runs it unless its outcome is known. What failed once its work was begun is an outcome, too. */
  private runOnce(routed: RoutedRequest, failure?: Failure): Reply {
    const { key, content, route, call } = routed;
    this.permissions.check(route.resource, call.method === 'POST' ? 'write' : 'read');
    if (key === undefined) return this.execute(routed, failure);
    const known = this.stored.get(key);
    if (!known) {
      const reply = this.execute(routed, failure);
      this.stored.set(key, { content, reply });
      return reply;
    }
    if (known.content === content) {
      return { ...known.reply, headers: { ...known.reply.headers, 'idempotent-replayed': 'true' } };
    }
    const message =
      'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
      `Try using a key other than '${key}' if you meant to execute a different request.`;
    throw new StandInError(400, message, { type: 'idempotency_error' });
  }

  /** Throws `RefusedRequest` when it is not to be stored. */
  private execute(routed: RoutedRequest, failure: Failure | undefined): Reply {
    try {
      if (failure?.when !== 'after') this.failIfPlanned(failure);
      const body = this.work(routed);
      this.failIfPlanned(failure);
      return { status: 200, body };
    } catch (error) {
      if (error instanceof RefusedRequest) throw error;
      return replyOrThrow(error);
    }
  }

  private failIfPlanned(failure: Failure | undefined): void {
    if (!failure) return;
    this.failures.consume(failure);
    throw failureOf('500');
  }

  /** The result is a copy, with what was to be expanded. */
  private work({ call, route, id }: RoutedRequest): object {
    const result = structuredClone(route.run(this.books, call.form, id));
    for (const path of Object.values(textsAt(call.form, 'expand'))) this.expand(result, path);
    return result;
  }

  /** Replaces ids by their objects, in place, along a path as `payment_intent.latest_charge`. */
  private expand(object: object, path: string): void {
    let holder: object | undefined = object;
    for (const name of path.split('.')) {
      const field = expandable[name];
      if (!field) throw new RefusedRequest(400, `This property cannot be expanded (${name}).`);
      this.permissions.check(field.resource, 'read');
      const id: unknown = holder && Reflect.get(holder, name);
      const found = typeof id === 'string' ? structuredClone(field.find(this.books.records, id)) : undefined;
      if (holder && found) Reflect.set(holder, name, found);
      holder = found;
    }
  }
}

/** Fields that hold the id of another object, each with what the key has to be allowed to read. */
const expandable: Readonly<
  Record<string, { resource: Resource; find: (records: Records, id: string) => object }>
> = {
  payment_intent: { resource: 'payment_intents', find: (records, id) => records.paymentIntent(id) },
  latest_charge: { resource: 'charges', find: (records, id) => records.charge(id) },
};

/** The library repeats no request whose failure is stored. */
function replyOrThrow(error: unknown): Reply {
  if (!(error instanceof StandInError)) throw error;
  const { status, body } = error;
  return { status, body, ...(status >= 500 && { headers: { 'stripe-should-retry': 'false' } }) };
}
