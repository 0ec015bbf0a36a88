import { randomUUID } from 'node:crypto';
import { sessionParameters } from '#checkout';
import { fixedPacks } from '#contracts';
import type Stripe from 'stripe';
import { type CheckRun, type PaidSession, waitFor } from './check-run.js';
import { type Answer } from './stripe-account.js';

export type Session = Stripe.Checkout.Session;

/** The smallest pack. */
export const pack = fixedPacks.trial;

/** Makes the session that billing would make for the smallest pack. */
export async function createSession(
  run: CheckRun,
  name: string,
): Promise<Answer<Session> & { readonly orderId: string }> {
  const { account, options } = run;
  const orderId = randomUUID();
  const customer = await ensureCustomer(run);
  if (customer && customer.kind !== 'object') return { ...customer, orderId };
  const page = options.publicUrl ?? 'https://example.com';
  const parameters = sessionParameters(
    {
      id: orderId,
      accountId: 'payments-check',
      personId: 'payments-check',
      pack: 'trial',
      credits: pack.credits,
      customerId: customer?.object.id,
      priceCents: pack.priceCents,
      successUrl: new URL('/?payments-check=paid', page).href,
      cancelUrl: new URL('/?payments-check=not-paid', page).href,
    },
    options,
  );
  const answer = await account.callStripe(name, () =>
    account.api.checkout.sessions.create(parameters, { idempotencyKey: `${orderId}-0` }),
  );
  return { ...answer, orderId };
}

/** The customer to whom the invoices of this run are made out; `null`: none are made. */
async function ensureCustomer(run: CheckRun): Promise<Answer<{ readonly id: string }> | null> {
  if (!run.options.invoices) return null;
  if (run.customer !== null) return { kind: 'object', object: { id: run.customer } };
  const { api } = run.account;
  const given = { name: 'payments check', email: 'payments-check@example.com' };
  const created = await run.account.callStripe('customer', () => api.customers.create(given));
  if (created.kind === 'object') run.customer = created.object.id;
  return created;
}

/** The session as billing reads it. */
export function readSession({ account }: CheckRun, name: string, id: string): Promise<Answer<Session>> {
  return account.callStripe(name, () =>
    account.api.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] }),
  );
}

/**
 * Has a person pay in a browser, and resolves to the session once `isDone`. `null`, with a finding, when there is no session
 * to pay or the time is over; the session is then closed.
 */
export async function payInBrowser(
  run: CheckRun,
  { name, how, isDone }: Payment,
): Promise<PaidSession | null> {
  const { report } = run;
  const created = await createSession(run, `${name}.open`);
  if (created.kind === 'denied') {
    report.notPossible('a Checkout session', `the key lacks the right "${created.right}"`);
    return null;
  }
  if (created.kind === 'refused') {
    report.differs('a Checkout session', `Stripe refuses it, so nothing could be bought: ${created.message}`);
    return null;
  }
  const { id, url } = created.object;
  report.say(
    `  Pay on this page ${how}.\n  ${url ?? ''}\n  Waiting for at most ${Math.round(run.timeoutMs / 1_000)} s; Ctrl-C ends it.`,
  );
  const session = await waitForSession(run, { name, id, isDone });
  return session && { session, orderId: created.orderId };
}

/** `null`, with a finding, when it can't be read or the time is over. */
export async function waitForSession(
  run: CheckRun,
  { name, id, isDone }: Pick<Payment, 'name' | 'isDone'> & { readonly id: string },
): Promise<Session | null> {
  const { account, report } = run;
  const answer = await waitFor(run, async () => {
    const read = await readSession(run, name, id);
    return read.kind === 'object' && !isDone(read.object) ? null : read;
  });
  if (answer?.kind === 'object') return answer.object;
  if (answer === null) {
    report.notPossible('the payment', 'no payment in time', 'Run it again with a longer --timeout.');
    // Refused when it has been completed meanwhile, which does no harm.
    await account.callStripe(`${name}.expired`, () => account.api.checkout.sessions.expire(id));
  } else {
    const why = answer.kind === 'denied' ? `the key lacks the right "${answer.right}"` : answer.message;
    report.differs('reading a session', `${why}: no order would be granted`);
  }
  return null;
}

interface Payment {
  /** Of the records. */
  readonly name: string;
  /** What the person has to do. */
  readonly how: string;
  readonly isDone: (session: Session) => boolean;
}

/** Nothing more is to be paid. */
export function isPaid({ payment_status, status }: Session): boolean {
  return status === 'complete' && (payment_status === 'paid' || payment_status === 'no_payment_required');
}

/** The payment intent of a session that was read with it; `null`: none. */
export function intentOf({ payment_intent }: Session): Stripe.PaymentIntent | null {
  return typeof payment_intent === 'object' ? payment_intent : null;
}

/** The charge of a payment intent that was read with it; `null`: none. */
export function chargeOf(intent: Stripe.PaymentIntent | null): Stripe.Charge | null {
  const charge = intent?.latest_charge ?? null;
  return typeof charge === 'object' ? charge : null;
}
