import type Stripe from 'stripe';
import { anOrder, useStandIn } from '../stand-in.fixture.js';
import { startStripeStandIn, type StripeStandIn } from '../stand-in.js';

const accepted = { method: 'card', number: '4242 4242 4242 4242' };
let standIn: StripeStandIn;
let stripe: Stripe;
useStandIn((open) => ({ standIn, stripe } = open), { taxPercent: 19 });

async function openSession(change: object = {}): Promise<{ id: string; url: string }> {
  const { id, url } = await stripe.checkout.sessions.create({ ...anOrder, ...change });
  return { id, url: url ?? '' };
}

function submit(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

const textAt = async (url: string): Promise<string> => (await fetch(url)).text();
const statusOf = (id: string) => standIn.records.session(id).payment_status;

it('none is shown where NODE_ENV is production', async () => {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    await expect(startStripeStandIn()).rejects.toThrow('does not run where NODE_ENV is production');
  } finally {
    process.env.NODE_ENV = before;
  }
});

describe('the page to pay on', () => {
  it('shows the amount and the way back, and leads to the shop once it is paid', async () => {
    const { id, url } = await openSession();
    const text = await textAt(url);
    expect(text).toContain('Pay $149.00');
    expect(text).toContain('href="http://shop.example/buy"');
    const answer = await submit(url, accepted);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`http://shop.example/bought?session=${id}`);
    expect(statusOf(id)).toBe('paid');
    expect(await textAt(url)).toContain('You have already paid.');
  });

  it.each([
    ['4000000000000002', 'Your card was declined.'],
    ['5555 5555 5555 4444', 'Your card number is invalid'],
  ])('refuses the card %s, and takes the next one', async (number, problem) => {
    const { id, url } = await openSession();
    const refused = await submit(url, { method: 'card', number });
    expect(refused.status).toBe(402);
    expect(await refused.text()).toContain(problem);
    expect(statusOf(id)).toBe('unpaid');
    expect((await submit(url, accepted)).status).toBe(303);
    expect(statusOf(id)).toBe('paid');
  });

  it('escapes what the shop has sent', async () => {
    const { url } = await openSession({ cancel_url: 'http://shop.example/"><script>' });
    expect(await textAt(url)).not.toContain('<script>');
  });

  it('shows the price with tax and discount, and needs no card when nothing is to be paid', async () => {
    const { id, url } = await openSession({ automatic_tax: { enabled: true } });
    expect(await textAt(url)).toContain('Pay $177.31');
    standIn.payments.price(id, { discountPercent: 20 });
    const text = await textAt(url);
    expect(text).toContain('Pay $141.85');
    expect(text).toContain('-$29.80');
    standIn.payments.price(id, { discountPercent: 100 });
    expect((await submit(url, { method: 'card', number: '' })).status).toBe(303);
    expect(statusOf(id)).toBe('no_payment_required');
  });
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
  for (const label of ['Country', 'VAT number']) expect(await textAt(url)).toContain(label);
  await submit(url, { ...accepted, name: 'Acme GmbH', country: 'DE', tax_id: 'DE1' });
  const invoice = await stripe.invoices.retrieve(standIn.records.session(id).invoice ?? '');
  expect(invoice).toMatchObject({ object: 'invoice', status: 'paid', customer_name: 'Acme GmbH' });
  expect(await textAt(invoice.hosted_invoice_url ?? '')).toContain('VAT DE1');
});

it('controls refund and dispute a payment by its id', async () => {
  const control = async <Answer>(path: string, body: object = {}): Promise<Answer> => {
    const url = `${standIn.url}/_controls/${path}`;
    return (await (await fetch(url, { method: 'POST', body: JSON.stringify(body) })).json()) as Answer;
  };
  const { id } = await openSession();
  standIn.payments.pay(id, 'delayed');
  const { payment_intent: intent } = await control<{ payment_intent: string }>(`sessions/${id}/settle`);
  const refund = await control<{ id: string }>(`payments/${intent}/refund`, { amount: 7_450 });
  await control(`refunds/${refund.id}/fail`);
  const dispute = await control<{ id: string }>(`payments/${intent}/dispute`);
  await control(`disputes/${dispute.id}/close`, { outcome: 'won' });
  expect(standIn.records.refund(refund.id).status).toBe('failed');
  expect(standIn.records.dispute(dispute.id).status).toBe('won');
  expect(await control('sessions/unknown/expire')).toMatchObject({ error: { code: 'resource_missing' } });
});
