import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { type StripeStandIn } from '../stand-in.js';
import { anOrder, useStandIn } from '../stand-in.fixture.js';

let standIn: StripeStandIn;
let stripe: Stripe;
useStandIn((open) => ({ standIn, stripe } = open), { secretKey: 'rk_test_standin' });

type Session = Stripe.Response<Stripe.Checkout.Session>;

const create = (change: object = {}, options: Stripe.RequestOptions = {}): Promise<Session> =>
  stripe.checkout.sessions.create({ ...anOrder, ...change }, options);
const wasReplayed = ({ lastResponse }: Session): boolean => 'idempotent-replayed' in lastResponse.headers;

describe('a checkout session, as the library of Stripe sees it', () => {
  it('is created open and unpaid, with a page to pay on', async () => {
    const session = await create();
    const url = `${standIn.url}/c/pay/${session.id}`;
    const { client_reference_id, metadata } = anOrder;
    const unpaid = { amount_total: 14_900, payment_intent: null, payment_status: 'unpaid', status: 'open' };
    expect(session).toMatchObject({ client_reference_id, metadata, ...unpaid, url });
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ id: session.id });
  });

  it.each([
    [{ success_url: undefined }, 'success_url'],
    [{ success_url: 'not a url' }, 'success_url'],
    [{ line_items: [] }, 'line_items.0.price_data.product_data.name'],
  ])('is refused with %j', async (change, param) => {
    await expect(create(change)).rejects.toMatchObject({ type: 'StripeInvalidRequestError', param });
  });

  it('can be expired while it is open, and paid no more', async () => {
    const { id } = await create();
    expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired', url: null });
    await expect(stripe.checkout.sessions.expire(id)).rejects.toMatchObject({ statusCode: 400 });
    expect(() => standIn.payments.pay(id, 'card')).toThrow('expired');
  });
});

describe('lists', () => {
  it('have the newest first, page by page', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await create()).id);
    const listed = await stripe.checkout.sessions.list({ limit: 2 }).autoPagingToArray({ limit: 5 });
    expect(listed.map(({ id }) => id)).toEqual(ids);
    const starting_after = listed[4]?.id ?? '';
    expect((await stripe.checkout.sessions.list({ starting_after })).data[0]?.id).not.toBe(starting_after);
  });
});

describe('a customer', () => {
  const given = { name: 'Acme', email: 'billing@acme.example', metadata: { account_id: 'account-1' } };
  const invoiced = {
    customer_update: { address: 'auto', name: 'auto' },
    tax_id_collection: { enabled: true },
    automatic_tax: { enabled: true },
  };

  it.each([
    ['tax without the address', { customer_update: { name: 'auto' } }, undefined],
    ['tax IDs without the name', { customer_update: { address: 'auto' } }, undefined],
    ['a customer that does not exist', { customer: 'cus_of_live_mode' }, 'resource_missing'],
  ] as const)('is refused %s', async (_what, change, code) => {
    const { id } = await stripe.customers.create(given);
    const refused = create({ customer: id, ...invoiced, ...change });
    await expect(refused).rejects.toMatchObject({ type: 'StripeInvalidRequestError', code });
  });
});

describe('an Idempotency-Key', () => {
  let key: Stripe.RequestOptions;
  beforeEach(() => (key = { idempotencyKey: randomUUID() }));

  it('keeps the first answer, which a header says, and refuses other parameters', async () => {
    const first = await create({}, key);
    expect(wasReplayed(first)).toBe(false);
    await stripe.checkout.sessions.expire(first.id);
    const again = await create({}, key);
    expect(again).toMatchObject({ id: first.id, status: 'open' });
    expect(wasReplayed(again)).toBe(true);
    const other = create({ client_reference_id: 'order-2' }, key);
    await expect(other).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  });

  it.each(['before', 'after'] as const)('keeps a 500, %s its work', async (when) => {
    standIn.failures.add({ kind: '500', when, operation: 'create_session', times: 1 });
    const { size } = standIn.records.sessions;
    await expect(create({}, key)).rejects.toBeInstanceOf(Stripe.errors.StripeAPIError);
    await expect(create({}, key)).rejects.toMatchObject({
      statusCode: 500,
      headers: { 'idempotent-replayed': 'true' },
    });
    expect(standIn.records.sessions.size).toBe(size + (when === 'after' ? 1 : 0));
  });

  it.each<[string, () => Promise<unknown>]>([
    ['invalid parameters', () => create({ success_url: 'no address' }, key)],
    [
      'a missing permission',
      () => {
        standIn.permissions.restrict({ checkout_sessions: 'read' });
        return create({}, key).finally(() => standIn.permissions.restrict({}));
      },
    ],
    ...(['429', '409', '401'] as const).map((kind): [string, () => Promise<unknown>] => [
      `a ${kind}`,
      () => {
        standIn.failures.add({ kind, times: 1 });
        return create({}, key);
      },
    ]),
  ])('is not used up by %s', async (_what, refused) => {
    await expect(refused()).rejects.toBeInstanceOf(Stripe.errors.StripeError);
    expect(wasReplayed(await create({}, key))).toBe(false);
  });
});

describe('a failure on demand', () => {
  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('breaks the connection %s the work', async (when, done) => {
    const { size } = standIn.records.sessions;
    // The library repeats a request once whose connection was closed.
    standIn.failures.add({ kind: 'break', when, times: 2 });
    const key = { idempotencyKey: randomUUID() };
    await expect(create({}, key)).rejects.toBeInstanceOf(Stripe.errors.StripeConnectionError);
    expect(standIn.records.sessions.size).toBe(size + done);
    await create({}, key);
    expect(standIn.records.sessions.size).toBe(size + 1);
  });
});
