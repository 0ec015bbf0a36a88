import { type Books } from '../books/books.js';
import { type StandInEvent } from '../books/objects.js';
import { createRefund } from './create-refund.js';
import { readNewSession } from './create-session.js';
import { type FormTree, textAt, textsAt } from './form.js';
import { listPage } from './lists.js';
import { type Operation } from './operations.js';
import { type Resource } from './permissions.js';

/** A request to the API; `form` is its body or its query. */
export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly form: FormTree;
}

type Run = (books: Books, call: ApiCall, id: string) => object;

/** One thing that can be asked. Reading is asked with GET, writing with POST. */
export interface Route {
  readonly operation: Operation;
  readonly method: 'GET' | 'POST';
  /** Has at most one group: the id. */
  readonly path: RegExp;
  /** What the key has to be allowed to use. */
  readonly resource: Resource;
  readonly run: Run;
}

const ofPayment = ['payment_intent', 'charge'];

/** The part of the API that a shop with Checkout uses. */
const routes: readonly Route[] = [
  post(
    'create_session',
    'checkout_sessions',
    /^\/v1\/checkout\/sessions$/,
    ({ payments, records }, { form }) => payments.create(readNewSession(form, records.now)),
  ),
  get('list_sessions', 'checkout_sessions', /^\/v1\/checkout\/sessions$/, ({ records }, { form, path }) =>
    listPage(records.sessions.values(), { query: form, path, filters: ['payment_intent', 'status'] }),
  ),
  get('get_session', 'checkout_sessions', /^\/v1\/checkout\/sessions\/(\w+)$/, ({ records }, _call, id) =>
    records.session(id),
  ),
  post(
    'expire_session',
    'checkout_sessions',
    /^\/v1\/checkout\/sessions\/(\w+)\/expire$/,
    ({ payments }, _call, id) => payments.expire(id),
  ),
  get('get_payment_intent', 'payment_intents', /^\/v1\/payment_intents\/(\w+)$/, ({ records }, _call, id) =>
    records.paymentIntent(id),
  ),
  get('list_charges', 'charges', /^\/v1\/charges$/, ({ records }, { form, path }) =>
    listPage(records.charges.values(), { query: form, path, filters: ['payment_intent'] }),
  ),
  get('get_charge', 'charges', /^\/v1\/charges\/(\w+)$/, ({ records }, _call, id) => records.charge(id)),
  post('create_refund', 'charges', /^\/v1\/refunds$/, (books, { form }) => createRefund(books, form)),
  get('list_refunds', 'charges', /^\/v1\/refunds$/, ({ records }, { form, path }) =>
    listPage(records.refunds.values(), { query: form, path, filters: ofPayment }),
  ),
  get('get_refund', 'charges', /^\/v1\/refunds\/(\w+)$/, ({ records }, _call, id) => records.refund(id)),
  get('list_disputes', 'disputes', /^\/v1\/disputes$/, ({ records }, { form, path }) =>
    listPage(records.disputes.values(), { query: form, path, filters: ofPayment }),
  ),
  get('get_dispute', 'disputes', /^\/v1\/disputes\/(\w+)$/, ({ records }, _call, id) => records.dispute(id)),
  post('close_dispute', 'disputes', /^\/v1\/disputes\/(\w+)\/close$/, ({ returns }, _call, id) =>
    returns.closeDispute(id, 'lost'),
  ),
  get('list_events', 'events', /^\/v1\/events$/, ({ records }, { form, path }) =>
    listPage(records.keptEvents.values(), { query: form, path, matches: (event) => isOfType(form, event) }),
  ),
  get('get_event', 'events', /^\/v1\/events\/(\w+)$/, ({ records }, _call, id) => records.event(id)),
  get('get_account', 'accounts', /^\/v1\/account$/, ({ records }) => records.shop.account),
  get('list_webhook_endpoints', 'webhooks', /^\/v1\/webhook_endpoints$/, ({ records }, { path }) =>
    wholeList(path, records.shop.webhookEndpoints),
  ),
  get(
    'list_payment_method_configurations',
    'payment_method_configurations',
    /^\/v1\/payment_method_configurations$/,
    ({ records }, { path }) => wholeList(path, records.shop.paymentMethodConfigurations),
  ),
  get('get_tax_settings', 'tax_settings', /^\/v1\/tax\/settings$/, ({ records }) => records.shop.taxSettings),
];

/** Who answers such a request, and the id in its path; `undefined`: there is no such URL. */
export function findRoute({
  method,
  path,
}: ApiCall): { readonly route: Route; readonly id: string } | undefined {
  for (const route of routes) {
    const found = route.path.exec(path);
    if (route.method === method && found) return { route, id: found[1] ?? '' };
  }
  return undefined;
}

function get(operation: Operation, resource: Resource, path: RegExp, run: Run): Route {
  return { operation, method: 'GET', path, resource, run };
}

function post(operation: Operation, resource: Resource, path: RegExp, run: Run): Route {
  return { operation, method: 'POST', path, resource, run };
}

/** A list of one page. */
function wholeList(url: string, data: readonly object[]): object {
  return { object: 'list', data, has_more: false, url };
}

/** By `type`, whose last part may be `*`, or by a list of `types`. */
function isOfType(form: FormTree, { type }: StandInEvent): boolean {
  const types = Object.values(textsAt(form, 'types'));
  if (types.length > 0) return types.includes(type);
  const wanted = textAt(form, 'type') ?? '*';
  return wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}
