import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { startStripeStandIn, type StripeStandIn } from './stand-in.js';

let standIn: StripeStandIn;
/** Stripe's own library, directed to the stand-in. */
let stripe: Stripe;
beforeAll(async () => {
  standIn = await startStripeStandIn();
  standIn.payments.taxPercent = 19;
  const { hostname: host, port } = new URL(standIn.url);
  stripe = new Stripe(standIn.secretKey, { host, port, protocol: 'http', maxNetworkRetries: 0 });
});
beforeEach(() => {
  standIn.failures.clear();
  standIn.permissions.restrict({});
});
afterAll(() => standIn.stop());

/** A session of a shop that sells one thing. */
const anOrder: Stripe.Checkout.SessionCreateParams = {
  mode: 'payment',
  client_reference_id: 'order-1',
  line_items: [
    {
      quantity: 1,
      price_data: { currency: 'usd', unit_amount: 14_900, product_data: { name: '500 credits' } },
    },
  ],
  success_url: 'http://shop.example/bought?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://shop.example/"><script>',
};

type Session = Stripe.Response<Stripe.Checkout.Session>;

const create = (change: object = {}, options: Stripe.RequestOptions = {}): Promise<Session> =>
  stripe.checkout.sessions.create({ ...anOrder, ...change }, options);

it('does not run where NODE_ENV is production', async () => {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    await expect(startStripeStandIn()).rejects.toThrow('does not run where NODE_ENV is production');
  } finally {
    process.env.NODE_ENV = before;
  }
});

describe('an Idempotency-Key', () => {
  const wasReplayed = ({ lastResponse }: Session): boolean => 'idempotent-replayed' in lastResponse.headers;
  let key: Stripe.RequestOptions;
  beforeEach(() => (key = { idempotencyKey: randomUUID() }));

  it('keeps the first answer, which a header says, and refuses other parameters', async () => {
    const first = await create({}, key);
    await stripe.checkout.sessions.expire(first.id);
    const again = await create({}, key);
    expect(again).toMatchObject({ id: first.id, status: 'open' });
    expect([first, again].map(wasReplayed)).toEqual([false, true]);
    const other = create({ client_reference_id: 'order-2' }, key);
    await expect(other).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  });

  it.each(['before', 'after'] as const)('keeps a 500, %s its work', async (when) => {
    standIn.failures.add({ kind: '500', when, operation: 'create_session', times: 1 });
    const { size } = standIn.records.sessions;
    for (let times = 0; times < 2; times += 1) {
      await expect(create({}, key)).rejects.toBeInstanceOf(Stripe.errors.StripeAPIError);
    }
    expect(standIn.records.sessions.size).toBe(size + (when === 'after' ? 1 : 0));
  });
});

describe('the page to pay on', () => {
  const accepted = { method: 'card', number: '4242 4242 4242 4242' };

  async function openSession(change: object = {}): Promise<{ id: string; url: string }> {
    const { id, url } = await create(change);
    return { id, url: url ?? '' };
  }

  function submit(url: string, fields: Record<string, string>): Promise<Response> {
    return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  }

  const textAt = async (url: string): Promise<string> => (await fetch(url)).text();
  const statusOf = (id: string) => standIn.records.session(id).payment_status;

  it.each([
    ['4000000000000002', 'Your card was declined.'],
    ['5555 5555 5555 4444', 'Your card number is invalid'],
  ])('refuses the card %s, takes the next one, and leads to the shop', async (number, problem) => {
    const { id, url } = await openSession();
    expect(await textAt(url)).not.toContain('<script>');
    const refused = await submit(url, { method: 'card', number });
    expect([refused.status, statusOf(id)]).toEqual([402, 'unpaid']);
    expect(await refused.text()).toContain(problem);
    const answer = await submit(url, accepted);
    expect(answer.headers.get('location')).toBe(`http://shop.example/bought?session=${id}`);
    expect(statusOf(id)).toBe('paid');
    expect(await textAt(url)).toContain('You have already paid.');
  });

  it('shows the price with tax and discount, and needs no card when nothing is to be paid', async () => {
    const { id, url } = await openSession({ automatic_tax: { enabled: true } });
    expect(await textAt(url)).toContain('Pay $177.31');
    standIn.payments.price(id, { discountPercent: 20 });
    expect(await textAt(url)).toContain('Pay $141.85');
    standIn.payments.price(id, { discountPercent: 100 });
    expect((await submit(url, { method: 'card', number: '' })).status).toBe(303);
    expect(statusOf(id)).toBe('no_payment_required');
  });

  it('asks a business for what its invoice says', async () => {
    const { id: customer } = await stripe.customers.create({ name: 'Acme', email: 'a@b.example' });
    const { id, url } = await openSession({
      customer,
      customer_update: { address: 'auto', name: 'auto' },
      billing_address_collection: 'required',
      tax_id_collection: { enabled: true },
      invoice_creation: { enabled: true },
    });
    for (const label of ['Name', 'VAT number']) expect(await textAt(url)).toContain(label);
    await submit(url, { ...accepted, name: 'Acme GmbH', tax_id: 'DE1' });
    const invoice = await stripe.invoices.retrieve(standIn.records.session(id).invoice ?? '');
    expect(invoice).toMatchObject({ status: 'paid', customer_name: 'Acme GmbH' });
    expect(await textAt(invoice.hosted_invoice_url ?? '')).toContain('VAT DE1');
  });
});
