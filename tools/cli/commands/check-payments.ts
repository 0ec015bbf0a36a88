import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sessionParameters, subscribedEvents } from '#checkout';
import { fixedPacks, isRecord } from '#contracts';
import type Stripe from 'stripe';
import { CliError } from '../errors.js';
import { type CliIo } from '../session.js';

type Environment = CliIo['environment'];

export interface Finding {
  readonly what: string;
  /** `ok`, or what follows and what to do. */
  readonly result: string;
  /** Whether it is not as billing expects. */
  readonly differs: boolean;
}

/** Requests that billing makes: what for, the right that a key needs, as the Dashboard calls it, and what follows without. */
const uses: readonly [what: string, right: string, without: string, (api: Stripe) => Promise<unknown>][] = [
  [
    'find the session of a payment',
    'Checkout Sessions: Read',
    'returns are found only by the reconciliation',
    (api) => api.checkout.sessions.list({ payment_intent }),
  ],
  ['list refunds', 'Charges: Read', 'refunds take no credits back', (api) => api.refunds.list(one)],
  ['list disputes', 'Disputes: Read', 'disputes take no credits back', (api) => api.disputes.list(one)],
  [
    'list events',
    'Events: Read',
    'what no webhook reported is not found',
    (api) => api.events.list({ ...one, types }),
  ],
  [
    'create a refund',
    'Charges: Write',
    'refunds can be made in the Dashboard only',
    (api) => api.refunds.create({ payment_intent }),
  ],
];
const one = { limit: 1 };
const types = [...subscribedEvents];
const payment_intent = 'pi_of_no_payment';
const webhookPath = '/webhooks/stripe';

/**
 * Checks the Stripe account of billing's variables: the rights of the key, the price of one session for the smallest pack, which is
 * closed unpaid, and the webhook endpoint. Throws `CliError` when Stripe can't be reached, does not know the key, or the key is live.
 */
export async function checkPayments(environment: Environment): Promise<Finding[]> {
  const check = new PaymentCheck(await openStripe(environment), environment);
  await check.checkSession();
  for (const [what, right, without, request] of uses) {
    await check.callStripe(what, right, without, request(check.api));
  }
  if (check.isOn('STRIPE_INVOICES')) {
    const invoice = check.api.invoices.retrieve('in_of_no_payment');
    await check.callStripe('read an invoice', 'Invoices: Read', 'invoices are not shown', invoice);
  }
  await check.checkWebhook();
  return check.findings;
}

class PaymentCheck {
  readonly findings: Finding[] = [];

  constructor(
    readonly api: Stripe,
    private readonly environment: Environment,
  ) {}

  isOn(name: string): boolean {
    return this.environment[name] === 'on';
  }

  /** Resolves to Stripe's answer; `null` when the key lacks the right. */
  async callStripe<Body>(
    what: string,
    right: string,
    without: string,
    request: Promise<Body>,
  ): Promise<Body | null> {
    try {
      const body = await request;
      this.add(what, null);
      return body;
    } catch (error) {
      this.add(what, problemOf(error, right, without));
      return null;
    }
  }

  async checkSession(): Promise<void> {
    const { checkout, customers } = this.api;
    const { credits, priceCents } = fixedPacks.trial;
    const without = 'nothing can be bought';
    const name = 'payments check';
    const given = { name, email: 'payments-check@example.com' };
    const customer = this.isOn('STRIPE_INVOICES')
      ? await this.callStripe('create a customer', 'Customers: Write', without, customers.create(given))
      : undefined;
    if (customer === null) return;
    const page = this.environment.SITE_URL || 'https://example.com';
    const ids = { id: randomUUID(), accountId: name, personId: name, customerId: customer?.id };
    const order = { ...ids, pack: 'trial', credits, priceCents, successUrl: page, cancelUrl: page } as const;
    const parameters = sessionParameters(order, {
      automaticTax: this.isOn('STRIPE_AUTOMATIC_TAX'),
      promotionCodes: this.isOn('STRIPE_PROMOTION_CODES'),
    });
    const creation = checkout.sessions.create(parameters);
    const created = await this.callStripe('create a session', 'Checkout Sessions: Write', without, creation);
    if (!created) return;
    const price = `${created.amount_subtotal} ${created.currency}`;
    const expected = `${priceCents} usd`;
    this.add('price', price === expected ? null : `${price}, not ${expected}: orders need a review`);
    await this.callStripe(
      'read a session and its payment',
      'Checkout Sessions: Read, PaymentIntents: Read, Charges: Read',
      'no order is granted, or failed payments and receipts are not seen',
      checkout.sessions.retrieve(created.id, { expand: ['payment_intent.latest_charge'] }),
    );
    await checkout.sessions.expire(created.id);
  }

  async checkWebhook(): Promise<void> {
    const what = 'webhook endpoint';
    const endpoints = await this.api.webhookEndpoints.list({ limit: 100 }).catch((error: unknown) => {
      const without = 'not checked; billing does not need this right';
      this.add(what, problemOf(error, 'Webhook Endpoints: Read', without), false);
    });
    if (!endpoints) return;
    const { SITE_URL: origin } = this.environment;
    const url = origin ? new URL(webhookPath, origin).href : webhookPath;
    const endpoint = endpoints.data.find((one) => (origin ? one.url : new URL(one.url).pathname) === url);
    const late = 'credits arrive with the return of the buyer, or hourly';
    if (!endpoint) return this.add(what, `none for ${url}, with snapshot payloads: ${late}`);
    const { enabled_events: events, status } = endpoint;
    const missing = events.includes('*') ? [] : subscribedEvents.filter((event) => !events.includes(event));
    this.add(what, status === 'enabled' ? null : `it is ${status}: ${late}`);
    this.add('its events', missing.length === 0 ? null : `add ${missing.join(', ')}`);
  }

  private add(what: string, problem: string | null, differs = problem !== null): void {
    this.findings.push({ what, result: problem ?? 'ok', differs });
  }
}

/** The library's errors have their class in `type`. Only a key with the right learns that an object does not exist. */
function problemOf(error: unknown, right: string, without: string): string | null {
  if (!isRecord(error) || typeof error.type !== 'string') throw error;
  const message = String(error.message);
  if (error.code === 'resource_missing') return null;
  if (error.type === 'StripePermissionError') return `the key needs "${right}": ${without}`;
  if (error.type === 'StripeInvalidRequestError') return `refused (${message}): ${without}`;
  throw new CliError(`The call to Stripe failed: ${message}`);
}

/** A check leaves objects at Stripe, so it takes no live key. */
async function openStripe(environment: Environment): Promise<Stripe> {
  const { STRIPE_API_URL: apiUrl, STRIPE_SECRET_KEY_FILE: file } = environment;
  const key = (environment.STRIPE_SECRET_KEY || (file ? readFileSync(file, 'utf8') : '')).trim();
  if (!/^(sk|rk)_test_/.test(key)) {
    throw new CliError('STRIPE_SECRET_KEY, or its file, must be a key of a sandbox: sk_test_ or rk_test_.');
  }
  // Other commands need not wait for the library.
  const { default: Library } = await import('stripe');
  const standIn = apiUrl ? new URL(apiUrl) : null;
  return new Library(key, {
    telemetry: false,
    ...(standIn && { host: standIn.hostname, port: standIn.port, protocol: 'http' }),
  });
}
