import type Stripe from 'stripe';
import { type CheckRun, type PaidSession, waitFor } from '../check-run.js';
import { chargeOf, intentOf, isPaid, pack, payInBrowser } from '../purchase.js';

const notGranted = 'the payment would be held for review, not granted';

/** Stripe lists an event a moment after it happened. */
const eventMs = 60_000;

/** Buys the smallest pack and compares what Stripe says of it with what billing expects. */
export async function checkBuying(run: CheckRun): Promise<void> {
  const paid = await buy(run);
  if (!paid) return;
  compareSession(run, paid);
  comparePayment(run, paid.session);
  await findEvent(run, paid.session);
}

/** What was bought in this run, or is bought now. `null`, with a finding, when nothing is. */
export async function buy(run: CheckRun): Promise<PaidSession | null> {
  const code = run.options.promotionCodes ? ', with a promotion code or without' : '';
  run.bought ??= await payInBrowser(run, {
    name: 'session.paid',
    how: `with card 4242 4242 4242 4242, any name, any future date${code}`,
    isDone: isPaid,
  });
  return run.bought;
}

function compareSession({ report }: CheckRun, { session, orderId }: PaidSession): void {
  const facts = {
    mode: [session.mode, 'payment'],
    status: [session.status, 'complete'],
    client_reference_id: [session.client_reference_id, orderId],
    'metadata.order_id': [session.metadata?.order_id, orderId],
    amount_subtotal: [session.amount_subtotal, pack.priceCents],
    currency: [session.currency, 'usd'],
    livemode: [session.livemode, false],
  } as const;
  for (const [what, [found, expected]] of Object.entries(facts)) {
    report.compare(what, { found, expected, without: notGranted });
  }
  comparePaid({ report }, session.payment_status);
  compareTotal({ report }, session);
}

function comparePaid({ report }: Pick<CheckRun, 'report'>, found: string): void {
  if (found !== 'no_payment_required') {
    report.compare('payment_status', { found, expected: 'paid', without: notGranted });
    return;
  }
  report.ok('payment_status', `${found}: the discount covers everything; granted, with nothing to refund`);
}

function compareTotal({ report }: Pick<CheckRun, 'report'>, session: Stripe.Checkout.Session): void {
  const { amount_subtotal: subtotal, amount_total: total, total_details: details } = session;
  if (!details) {
    report.differs('total_details', 'missing: tax and discounts of payments would be unknown');
    return;
  }
  const { amount_discount: discount, amount_tax: tax } = details;
  report.ok('total_details', `discount ${discount}, tax ${tax}, total ${total ?? 'none'}`);
  report.compare('amount_total', {
    found: total,
    expected: (subtotal ?? 0) - discount + tax,
    without:
      'the price has parts other than tax and discounts; refunds take back credits by their share of the total',
  });
}

/** Of a payment intent and its charge, what billing uses. */
function comparePayment({ report }: CheckRun, session: Stripe.Checkout.Session): void {
  if (session.payment_status === 'no_payment_required') return;
  const intent = intentOf(session);
  if (!intent) {
    report.differs('payment_intent', 'missing: refunds and disputes would not find their order');
    return;
  }
  report.compare('payment_intent.status', {
    found: intent.status,
    expected: 'succeeded',
    without: 'the money has not arrived',
  });
  report.compare('payment_intent.amount_received', {
    found: intent.amount_received,
    expected: session.amount_total ?? 0,
    without: 'the charged amount is not the one of Checkout',
  });
  const receipt = chargeOf(intent)?.receipt_url ?? null;
  if (receipt !== null && /^https?:\/\//.test(receipt)) report.ok('receipt_url', 'a page of Stripe');
  else report.differs('receipt_url', 'none: order pages show no Stripe receipt');
}

/** The reconciliation reads events: what webhooks lost is found there. */
async function findEvent(run: CheckRun, { id, created }: Stripe.Checkout.Session): Promise<void> {
  const { account, report } = run;
  const type = 'checkout.session.completed';
  const timeoutMs = Math.min(run.timeoutMs, eventMs);
  const answer = await waitFor({ ...run, timeoutMs }, async () => {
    const events = await account.callStripe('events.completed', () =>
      account.api.events.list({ type, created: { gte: created }, limit: 100 }),
    );
    const isThere =
      events.kind !== 'object' ||
      events.object.data.some(({ data }) => Reflect.get(data.object, 'id') === id);
    return isThere ? events : null;
  });
  if (answer?.kind === 'object') report.ok('its event', `${type}, in the list that the reconciliation reads`);
  else if (answer === null) {
    report.differs('its event', `no ${type} in the list that the reconciliation reads`);
  } else {
    const why = answer.kind === 'denied' ? `the key lacks the right "${answer.right}"` : answer.message;
    report.notPossible('its event', why);
  }
}
