import { type Books } from '../books/returns.js';
import { StandInError } from '../books/stand-in-error.js';
import { createSession } from './create-session.js';
import { amountAt, type FormTree, listPage, neededText, textAt, textsAt } from './form.js';

/** What the API works on. */
export interface ApiBooks extends Books {
  /** Where webhooks go. */
  readonly webhookUrl: () => string | undefined;
}

/** A request to the API; `form` is its body or its query. */
export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly form: FormTree;
}

type Run = (books: ApiBooks, form: FormTree, id: string) => object;

/** What a restricted key can be allowed to use. Refunds are read and written with charges. */
export type Resource =
  | ('checkout_sessions' | 'payment_intents' | 'charges' | 'customers')
  | ('disputes' | 'events' | 'invoices' | 'webhooks');

/** Reading is requested with GET, writing with POST. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** Has at most one group: the id. */
  readonly path: RegExp;
  /** What the key has to be allowed to use. */
  readonly resource: Resource;
  readonly run: Run;
}

const sessions = '/v1/checkout/sessions';

/** The part of the API that a shop with Checkout uses, by operation. */
const routes = {
  create_session: post(sessions, 'checkout_sessions', createSession),
  list_sessions: list(sessions, 'checkout_sessions', ({ records }) => records.sessions.values()),
  get_session: get(`${sessions}/:id`, 'checkout_sessions', ({ records }, _form, id) => records.session(id)),
  expire_session: post(`${sessions}/:id/expire`, 'checkout_sessions', ({ payments }, _form, id) =>
    payments.expire(id),
  ),
  create_customer: post('/v1/customers', 'customers', createCustomer),
  get_invoice: get('/v1/invoices/:id', 'invoices', ({ records }, _form, id) => records.invoice(id)),
  create_refund: post('/v1/refunds', 'charges', createRefund),
  list_refunds: list('/v1/refunds', 'charges', ({ records }) => records.refunds.values()),
  list_disputes: list('/v1/disputes', 'disputes', ({ records }) => records.disputes.values()),
  list_events: list('/v1/events', 'events', ({ records }) => records.events.values()),
  list_webhook_endpoints: list('/v1/webhook_endpoints', 'webhooks', webhookEndpointsOf),
} satisfies Record<string, Route>;

/** What can be requested, by name. */
export type Operation = keyof typeof routes;
const operations = Object.keys(routes) as Operation[];

/** The route of a request, and the id in its path. */
export interface FoundRoute {
  readonly operation: Operation;
  readonly route: Route;
  readonly id: string;
}

/** Throws when there is no such URL. */
export function findRoute({ method, path }: ApiCall): FoundRoute {
  for (const operation of operations) {
    const route = routes[operation];
    const found = route.path.exec(path);
    if (route.method === method && found) return { operation, route, id: found[1] ?? '' };
  }
  throw new StandInError(404, `Unrecognized request URL (${method}: ${path}).`);
}

function get(path: string, resource: Resource, run: Run): Route {
  return { method: 'GET', path: new RegExp(`^${path.replace(':id', String.raw`(\w+)`)}$`), resource, run };
}

function post(path: string, resource: Resource, run: Run): Route {
  return { ...get(path, resource, run), method: 'POST' };
}

function list(
  url: string,
  resource: Resource,
  itemsOf: (books: ApiBooks) => Iterable<{ readonly id: string; readonly created: number }>,
): Route {
  return get(url, resource, (books, form) => listPage(url, itemsOf(books), form));
}

/** A part of a payment, or the rest. */
function createRefund({ returns }: Books, form: FormTree): object {
  return returns.refund(neededText(form, 'payment_intent'), amountAt(form, 'amount'), {
    metadata: textsAt(form, 'metadata'),
    reason: textAt(form, 'reason') ?? null,
  });
}

function createCustomer({ invoicing }: Books, form: FormTree): object {
  const [email = null, name = null] = [textAt(form, 'email'), textAt(form, 'name')];
  return invoicing.createCustomer({ email, metadata: textsAt(form, 'metadata'), name });
}

function webhookEndpointsOf({ records, webhookUrl }: ApiBooks) {
  const url = webhookUrl();
  if (url === undefined) return [];
  const { enabledEvents: enabled_events } = records.shop;
  return [{ id: 'we_standin', created: records.now, enabled_events, status: 'enabled', url }];
}
