import { type Books } from '../books/books.js';
import { type Records } from '../books/records.js';
import { StandInError } from '../books/stand-in-error.js';
import { readNewSession } from './create-session.js';
import { type FormTree, textAt, textsAt } from './form.js';
import { listPage } from './lists.js';

/** A request to the API; `form` is its body or its query. */
export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly form: FormTree;
}

interface Route {
  readonly method: 'GET' | 'POST';
  /** Has at most one group: the id. */
  readonly path: RegExp;
  readonly run: (books: Books, call: ApiCall, id: string) => object;
}

const get = (path: RegExp, run: Route['run']): Route => ({ method: 'GET', path, run });
const post = (path: RegExp, run: Route['run']): Route => ({ method: 'POST', path, run });

const ofPayment = ['payment_intent', 'charge'];

/** The part of the API that a shop with Checkout uses. */
const routes: readonly Route[] = [
  post(/^\/v1\/checkout\/sessions$/, ({ payments, records }, { form }) =>
    payments.create(readNewSession(form, records.now)),
  ),
  get(/^\/v1\/checkout\/sessions$/, ({ records }, { form, path }) =>
    listPage(records.sessions.values(), { query: form, path, filters: ['payment_intent', 'status'] }),
  ),
  get(/^\/v1\/checkout\/sessions\/(\w+)$/, ({ records }, _call, id) => records.session(id)),
  post(/^\/v1\/checkout\/sessions\/(\w+)\/expire$/, ({ payments }, _call, id) => payments.expire(id)),
  get(/^\/v1\/payment_intents\/(\w+)$/, ({ records }, _call, id) => records.paymentIntent(id)),
  get(/^\/v1\/charges$/, ({ records }, { form, path }) =>
    listPage(records.charges.values(), { query: form, path, filters: ['payment_intent'] }),
  ),
  get(/^\/v1\/charges\/(\w+)$/, ({ records }, _call, id) => records.charge(id)),
  post(/^\/v1\/refunds$/, ({ returns }, { form }) => {
    const amount = textAt(form, 'amount');
    return returns.refund(
      textAt(form, 'payment_intent') ?? '',
      amount === undefined ? undefined : Number(amount),
    );
  }),
  get(/^\/v1\/refunds$/, ({ records }, { form, path }) =>
    listPage(records.refunds.values(), { query: form, path, filters: ofPayment }),
  ),
  get(/^\/v1\/refunds\/(\w+)$/, ({ records }, _call, id) => records.refund(id)),
  get(/^\/v1\/disputes$/, ({ records }, { form, path }) =>
    listPage(records.disputes.values(), { query: form, path, filters: ofPayment }),
  ),
  get(/^\/v1\/disputes\/(\w+)$/, ({ records }, _call, id) => records.dispute(id)),
  post(/^\/v1\/disputes\/(\w+)\/close$/, ({ returns }, _call, id) => returns.closeDispute(id, 'lost')),
  get(/^\/v1\/events$/, ({ records }, { form, path }) =>
    listPage(records.events.values(), { query: form, path, filters: ['type'] }),
  ),
];

/** Runs a request; the result is a copy, with what was to be expanded. */
export function runCall(books: Books, call: ApiCall): object {
  books.payments.expireOld();
  for (const { method, path, run } of routes) {
    const found = path.exec(call.path);
    if (method !== call.method || !found) continue;
    const result = structuredClone(run(books, call, found[1] ?? ''));
    expand(books.records, result, Object.values(textsAt(call.form, 'expand')));
    return result;
  }
  throw new StandInError(404, `Unrecognized request URL (${call.method}: ${call.path}).`);
}

const expandable: readonly string[] = ['payment_intent', 'payment_intent.latest_charge'];

/** Replaces ids by their objects: only those of a session's payment, which is what this project asks for. */
function expand(records: Records, object: object, paths: readonly string[]): void {
  const unknown = paths.find((path) => !expandable.includes(path));
  if (unknown !== undefined) {
    throw new StandInError(400, `This property cannot be expanded (${unknown}).`, { param: 'expand' });
  }
  const id: unknown = paths.length > 0 ? Reflect.get(object, 'payment_intent') : null;
  if (typeof id !== 'string') return;
  const intent = structuredClone(records.paymentIntent(id));
  const { latest_charge: charge } = intent;
  if (charge !== null && paths.includes('payment_intent.latest_charge')) {
    Reflect.set(intent, 'latest_charge', structuredClone(records.charge(charge)));
  }
  Reflect.set(object, 'payment_intent', intent);
}
