import { randomUUID } from 'node:crypto';
import { type PriceOptions, sessionParameters, subscribedEvents } from '#checkout';
import { fixedPacks, isRecord } from '#contracts';
import type Stripe from 'stripe';
import { CliError } from '../errors.js';

/** A Stripe account, as billing would use it. */
export interface CheckedAccount extends PriceOptions {
  readonly api: Stripe;
  /** An invoice is made for each order. */
  readonly invoices: boolean;
  /** Where customers reach this service; `null`: not known. */
  readonly publicUrl: string | null;
}

export interface Finding {
  readonly what: string;
  /** `ok`, or what follows and what to do. */
  readonly result: string;
  /** It is not as billing expects. */
  readonly differs: boolean;
}

/** A request that billing makes, what follows when it can't, and the right that a key needs, as the Dashboard calls it. */
interface Use {
  readonly what: string;
  readonly right: string;
  readonly without: string;
}

const pack = fixedPacks.trial;
const webhookPath = '/webhooks/stripe';

/**
 * Checks the rights of the key, the price of one session for the smallest pack, which is closed unpaid, and the webhook endpoint.
 * Throws `CliError` when Stripe can't be reached or does not know the key.
 */
export async function checkPayments(account: CheckedAccount): Promise<Finding[]> {
  return [
    ...(await checkSession(account)),
    ...(await checkRights(account.api, account.invoices)),
    ...(await checkWebhook(account)),
  ];
}

async function checkSession({ api, invoices, publicUrl, ...options }: CheckedAccount): Promise<Finding[]> {
  const given = { name: 'payments check', email: 'payments-check@example.com' };
  const without = 'nothing can be bought';
  const customer = invoices
    ? await ask(
        { what: 'create a customer', right: 'Customers: Write', without },
        api.customers.create(given),
      )
    : null;
  if (customer?.object === null) return [customer.finding];
  const page = publicUrl ?? 'https://example.com';
  const parameters = sessionParameters(
    {
      id: randomUUID(),
      accountId: 'payments-check',
      personId: 'payments-check',
      pack: 'trial',
      credits: pack.credits,
      priceCents: pack.priceCents,
      customerId: customer?.object.id,
      successUrl: page,
      cancelUrl: page,
    },
    options,
  );
  const creation = { what: 'create a session', right: 'Checkout Sessions: Write', without };
  const created = await ask(creation, api.checkout.sessions.create(parameters));
  const findings = [...(customer ? [customer.finding] : []), created.finding];
  if (created.object === null) return findings;
  const { id, amount_subtotal, currency } = created.object;
  const price = `${amount_subtotal} ${currency}`;
  const expected = `${pack.priceCents} usd`;
  const reading = {
    what: 'read a session and its payment',
    right: 'Checkout Sessions: Read, PaymentIntents: Read, Charges: Read',
    without: 'no order is granted, or failed payments and receipts are not seen',
  };
  const expand = ['payment_intent.latest_charge'];
  const read = await ask(reading, api.checkout.sessions.retrieve(id, { expand }));
  await api.checkout.sessions.expire(id);
  return [
    ...findings,
    found('price', price === expected ? null : `${price}, not ${expected}: orders need a review`),
    read.finding,
  ];
}

async function checkRights(api: Stripe, invoices: boolean): Promise<Finding[]> {
  const payment_intent = 'pi_of_no_payment';
  const types = [...subscribedEvents];
  const requests: readonly (readonly [what: string, right: string, without: string, Promise<unknown>])[] = [
    [
      'find the session of a payment',
      'Checkout Sessions: Read',
      'returns are found only by the reconciliation',
      api.checkout.sessions.list({ payment_intent }),
    ],
    ['list refunds', 'Charges: Read', 'refunds take no credits back', api.refunds.list({ limit: 1 })],
    ['list disputes', 'Disputes: Read', 'disputes take no credits back', api.disputes.list({ limit: 1 })],
    [
      'list events',
      'Events: Read',
      'every reconciliation compares half a year',
      api.events.list({ types, limit: 1 }),
    ],
    [
      'create a refund',
      'Charges: Write',
      'refunds can be made in the Dashboard only',
      api.refunds.create({ payment_intent }),
    ],
    ...(invoices
      ? [
          [
            'read an invoice',
            'Invoices: Read',
            'invoices are not shown',
            api.invoices.retrieve('in_of_no_payment'),
          ] as const,
        ]
      : []),
  ];
  const asked = requests.map(([what, right, without, request]) => ask({ what, right, without }, request));
  return (await Promise.all(asked)).map(({ finding }) => finding);
}

async function checkWebhook({ api, publicUrl }: CheckedAccount): Promise<Finding[]> {
  const what = 'webhook endpoint';
  const use = {
    what,
    right: 'Webhook Endpoints: Read',
    without: 'not checked; billing does not need this right',
  };
  const { object, finding } = await ask(use, api.webhookEndpoints.list({ limit: 100 }));
  if (object === null) return [{ ...finding, differs: false }];
  const url = publicUrl === null ? null : new URL(webhookPath, publicUrl).href;
  const endpoint = object.data.find((one) =>
    url === null ? new URL(one.url).pathname === webhookPath : one.url === url,
  );
  const late = 'credits arrive with the return of the buyer, or hourly';
  if (!endpoint) return [found(what, `none for ${url ?? webhookPath}, with snapshot payloads: ${late}`)];
  const { enabled_events: events, status } = endpoint;
  const missing = events.includes('*') ? [] : subscribedEvents.filter((event) => !events.includes(event));
  return [
    found(what, status === 'enabled' ? null : `it is ${status}: ${late}`),
    found('its events', missing.length === 0 ? null : `add ${missing.join(', ')}`),
  ];
}

/** The object is `null` unless Stripe gave one. */
async function ask<Body>({ what, ...use }: Use, request: Promise<Body>): Promise<Asked<Body>> {
  try {
    return { object: await request, finding: found(what, null) };
  } catch (error) {
    return { object: null, finding: found(what, problemOf(error, use)) };
  }
}

interface Asked<Body> {
  readonly object: Body | null;
  readonly finding: Finding;
}

/** The library's errors have their class in `type`. Only a key with the right is told that an object does not exist. */
function problemOf(error: unknown, { right, without }: Omit<Use, 'what'>): string | null {
  if (!isRecord(error) || typeof error.type !== 'string') throw error;
  const message = String(error.message);
  if (error.code === 'resource_missing') return null;
  if (error.type === 'StripePermissionError') return `the key needs "${right}": ${without}`;
  if (error.type === 'StripeInvalidRequestError') return `refused (${message}): ${without}`;
  throw new CliError(`Stripe could not be asked: ${message}`);
}

function found(what: string, problem: string | null): Finding {
  return { what, result: problem ?? 'ok', differs: problem !== null };
}
