import { type Books } from '../books/books.js';
import { type StandInEvent } from '../books/objects.js';
import { type Records } from '../books/records.js';
import { createRefund, readNewSession } from './create-objects.js';
import { type FormTree, textAt, textsAt } from './form.js';
import { type Listed, listPage } from './lists.js';
import { type Resource } from './permissions.js';

/** A request to the API; `form` is its body or its query. */
export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly form: FormTree;
}

/** An answer of the API, before it is written as JSON. */
export interface Reply {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

type Run = (books: Books, call: ApiCall, id: string) => object;

/** Reading is requested with GET, writing with POST. */
interface Route {
  readonly method: 'GET' | 'POST';
  /** Has at most one group: the id. */
  readonly path: RegExp;
  /** What the key has to be allowed to use. */
  readonly resource: Resource;
  readonly run: Run;
}

const sessions = '/v1/checkout/sessions';
const ofPayment = ['payment_intent', 'charge'];

/** The part of the API that a shop with Checkout uses, by operation. */
const routes = {
  create_session: post(sessions, 'checkout_sessions', ({ payments, records }, { form }) =>
    payments.create(readNewSession(form, records.now)),
  ),
  list_sessions: list(sessions, 'checkout_sessions', (records) => records.sessions, [
    'payment_intent',
    'status',
  ]),
  get_session: one(sessions, 'checkout_sessions', (records, id) => records.session(id)),
  expire_session: post(`${sessions}/:id/expire`, 'checkout_sessions', ({ payments }, _call, id) =>
    payments.expire(id),
  ),
  get_payment_intent: one('/v1/payment_intents', 'payment_intents', (records, id) =>
    records.paymentIntent(id),
  ),
  list_charges: list('/v1/charges', 'charges', (records) => records.charges, ['payment_intent']),
  get_charge: one('/v1/charges', 'charges', (records, id) => records.charge(id)),
  create_refund: post('/v1/refunds', 'charges', (books, { form }) => createRefund(books, form)),
  list_refunds: list('/v1/refunds', 'charges', (records) => records.refunds, ofPayment),
  get_refund: one('/v1/refunds', 'charges', (records, id) => records.refund(id)),
  list_disputes: list('/v1/disputes', 'disputes', (records) => records.disputes, ofPayment),
  get_dispute: one('/v1/disputes', 'disputes', (records, id) => records.dispute(id)),
  close_dispute: post('/v1/disputes/:id/close', 'disputes', ({ returns }, _call, id) =>
    returns.closeDispute(id, 'lost'),
  ),
  list_events: get('/v1/events', 'events', ({ records }, { form, path }) =>
    listPage(records.keptEvents.values(), { query: form, path, matches: (event) => isOfType(form, event) }),
  ),
  get_event: one('/v1/events', 'events', (records, id) => records.event(id)),
  get_account: get('/v1/account', 'accounts', ({ records }) => records.shop.account),
  list_webhook_endpoints: get('/v1/webhook_endpoints', 'webhooks', ({ records }, { path }) =>
    wholeList(path, records.shop.webhookEndpoints),
  ),
  list_payment_method_configurations: get(
    '/v1/payment_method_configurations',
    'payment_method_configurations',
    ({ records }, { path }) => wholeList(path, records.shop.paymentMethodConfigurations),
  ),
  get_tax_settings: get('/v1/tax/settings', 'tax_settings', ({ records }) => records.shop.taxSettings),
} satisfies Record<string, Route>;

/** What can be requested, by name. */
export type Operation = keyof typeof routes;
export const operations = Object.keys(routes) as Operation[];

/** The route of a request, and the id in its path; `undefined`: there is no such URL. */
export interface FoundRoute {
  readonly operation: Operation;
  readonly route: Route;
  readonly id: string;
}

export function findRoute({ method, path }: ApiCall): FoundRoute | undefined {
  for (const operation of operations) {
    const route = routes[operation];
    const found = route.path.exec(path);
    if (route.method === method && found) return { operation, route, id: found[1] ?? '' };
  }
  return undefined;
}

function get(path: string, resource: Resource, run: Run): Route {
  return { method: 'GET', path: new RegExp(`^${path.replace(':id', String.raw`(\w+)`)}$`), resource, run };
}

function post(path: string, resource: Resource, run: Run): Route {
  return { ...get(path, resource, run), method: 'POST' };
}

function one(path: string, resource: Resource, find: (records: Records, id: string) => object): Route {
  return get(`${path}/:id`, resource, ({ records }, _call, id) => find(records, id));
}

function list(
  url: string,
  resource: Resource,
  of: (records: Records) => ReadonlyMap<string, Listed>,
  filters: readonly string[],
): Route {
  return get(url, resource, ({ records }, { form, path }) =>
    listPage(of(records).values(), { query: form, path, filters }),
  );
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
