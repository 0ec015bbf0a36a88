import type Stripe from 'stripe';
import { anOrder, openStandIn } from '../stand-in.fixture.js';
import { compareRecordings, readRecordings } from './compare-recordings.js';

/** A directory of what `payments check --record` has written with a key of Stripe's test mode. */
const { STRIPE_RECORDINGS: ofStripe } = process.env;

/** Objects of the stand-in in every state that it has, as Stripe's library gets them. */
async function recordStandIn(): Promise<unknown[]> {
  const { standIn, stripe } = await openStandIn({ taxPercent: 19 });
  const { payments, returns } = standIn;
  const examples: unknown[] = [];
  const record = <Answer extends object>(answer: Answer): Answer => {
    examples.push(JSON.parse(JSON.stringify(answer)));
    return answer;
  };
  const create = async (change: Partial<Stripe.Checkout.SessionCreateParams> = {}): Promise<string> =>
    record(await stripe.checkout.sessions.create({ ...anOrder, ...change })).id;
  const look = async (id: string): Promise<string> => {
    record(await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] }));
    return standIn.records.session(id).payment_intent ?? '';
  };
  const pay = async (...[method, price]: [Parameters<typeof payments.pay>[1], object?]): Promise<string> => {
    const id = await create({ automatic_tax: { enabled: true }, allow_promotion_codes: true });
    payments.pay(id, method, price);
    return look(id);
  };
  try {
    const paid = await pay('card');
    await stripe.refunds.create({ payment_intent: paid, amount: 900, reason: 'fraudulent' });
    returns.closeDispute(returns.dispute(paid).id, 'won');
    returns.failRefund(returns.refund(await pay('card')).id);
    await pay('declined card');
    await pay('delayed');
    await pay('card', { discountPercent: 100 });
    record(await stripe.checkout.sessions.expire(await create()));
    const { id: customer } = record(await stripe.customers.create({ name: 'Acme', email: 'a@b.example' }));
    record(await stripe.billingPortal.sessions.create({ customer }));
    record(await stripe.billingPortal.configurations.list());
    const invoiced = await create({ customer, invoice_creation: { enabled: true } });
    const { invoice } = payments.pay(invoiced, 'card');
    record(await stripe.invoices.retrieve(invoice ?? ''));
    record(await stripe.refunds.list());
    record(await stripe.disputes.list());
    record(await stripe.events.list({ limit: 100 }));
  } finally {
    await standIn.stop();
  }
  return examples;
}

let examples: unknown[];
beforeAll(async () => (examples = await recordStandIn()));

it(`the stand-in is as ${ofStripe ? 'Stripe was when it was recorded' : 'another one, without recordings of Stripe'}`, async () => {
  const recordings = ofStripe
    ? readRecordings(ofStripe)
    : (await recordStandIn()).map((object) => ({ name: 'stand-in', object }));
  const { differences, compared } = compareRecordings(examples, recordings);
  expect(differences).toEqual([]);
  expect(compared).toEqual(expect.arrayContaining(['checkout.session', 'charge', 'dispute', 'refund']));
});

describe('a recorded object', () => {
  const dispute = {
    id: 'du_1',
    object: 'dispute',
    amount: 100,
    balance_transactions: [{ id: 'txn_1', object: 'balance_transaction', amount: -100 }],
    charge: 'ch_1',
    evidence_details: { due_by: 5 },
    metadata: { order_id: 'order-1' },
    payment_intent: 'pi_1',
    reason: null,
  };
  const differences = (object: unknown) =>
    compareRecordings([dispute], [{ name: 'recorded', object }]).differences;

  it.each([
    ['the same', {}],
    ['more', { payment_method_details: { type: 'card' } }],
    ['other metadata', { metadata: { campaign: 'spring' } }],
    ['an expanded object, which is compared by itself', { charge: { id: 'ch_1', object: 'charge' } }],
    ['nothing where there can be something', { balance_transactions: [] }],
    ['a value where the stand-in never has one', { reason: 'fraudulent' }],
  ])('with %s does not differ', (_what, change) => {
    expect(differences({ ...dispute, ...change })).toEqual([]);
  });

  it('differs by a missing field, and by one of another type, wherever it is', () => {
    const differing = { ...dispute, amount: '100', evidence_details: {}, payment_intent: null };
    const found = [
      'dispute.amount: string at Stripe, not number (recorded)',
      'dispute.evidence_details.due_by: missing at Stripe (recorded)',
      'dispute.payment_intent: null at Stripe, not string (recorded)',
    ];
    const event = { id: 'evt_1', object: 'event', data: { object: differing } };
    for (const holder of [differing, { object: 'list', data: [differing] }, event]) {
      expect(differences(holder)).toEqual(found);
    }
  });

  it('of a type that the stand-in does not have is named', () => {
    const customer = { id: 'cus_1', object: 'customer' };
    expect(compareRecordings([dispute], [{ name: 'customer', object: customer }])).toEqual({
      differences: [],
      compared: [],
      unknown: ['customer'],
    });
  });
});
