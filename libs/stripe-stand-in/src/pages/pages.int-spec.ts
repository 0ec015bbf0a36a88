import type Stripe from 'stripe';
import { anOrder, useStandIn } from '../stand-in.fixture.js';
import { type StripeStandIn } from '../stand-in.js';

let standIn: StripeStandIn;
let stripe: Stripe;
useStandIn((open) => ({ standIn, stripe } = open));

async function openSession(change: object = {}): Promise<{ id: string; url: string }> {
  const { id, url } = await stripe.checkout.sessions.create({ ...anOrder, ...change });
  return { id, url: url ?? '' };
}

function submit(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

const textAt = async (url: string): Promise<string> => (await fetch(url)).text();
const statusOf = (id: string) => standIn.records.session(id).payment_status;

describe('the page to pay on', () => {
  it('shows the amount and the way back', async () => {
    const { url } = await openSession();
    const text = await textAt(url);
    expect(text).toContain('Pay $149.00');
    expect(text).toContain('href="http://shop.example/buy"');
  });

  it('leads back to the shop once it is paid, by the card that is accepted', async () => {
    const { id, url } = await openSession();
    const answer = await submit(url, { method: 'card', number: '4242 4242 4242 4242' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`http://shop.example/bought?session=${id}`);
    expect(statusOf(id)).toBe('paid');
    expect(await textAt(url)).toContain('You have already paid.');
  });

  it('says that a card is declined, and the next one can be tried', async () => {
    const { id, url } = await openSession();
    const declined = await submit(url, { method: 'card', number: '4000000000000002' });
    expect(declined.status).toBe(402);
    expect(await declined.text()).toContain('Your card was declined.');
    expect(statusOf(id)).toBe('unpaid');
    expect((await submit(url, { method: 'card', number: '4242424242424242' })).status).toBe(303);
    expect(statusOf(id)).toBe('paid');
  });

  it('takes no other card', async () => {
    const { id, url } = await openSession();
    const answer = await submit(url, { method: 'card', number: '5555 5555 5555 4444' });
    expect(await answer.text()).toContain('Your card number is invalid');
    expect(statusOf(id)).toBe('unpaid');
  });

  it('has a method whose money takes days', async () => {
    const { id, url } = await openSession();
    expect((await submit(url, { method: 'delayed' })).status).toBe(303);
    expect(standIn.records.session(id)).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
  });

  it('escapes what the shop has sent', async () => {
    const { url } = await openSession({ cancel_url: 'http://shop.example/"><script>' });
    expect(await textAt(url)).not.toContain('<script>');
  });
});

describe('the list of payments', () => {
  it('has a button for what can happen to each', async () => {
    const { id } = await openSession();
    standIn.payments.pay(id, 'delayed');
    const settle = `${standIn.url}/_controls/sessions/${id}/settle`;
    const buttons = await textAt(standIn.url);
    expect(buttons).toContain(`action="/_controls/sessions/${id}/settle"`);
    expect((await submit(settle, { outcome: 'succeeded' })).headers.get('location')).toBe('/');
    const intent = standIn.records.session(id).payment_intent ?? '';
    await submit(`${standIn.url}/_controls/payments/${intent}/refund`, { amount: '900' });
    await submit(`${standIn.url}/_controls/payments/${intent}/dispute`, {});
    const text = await textAt(standIn.url);
    expect(text).toContain('refund of $9.00 succeeded, dispute of $140.00 needs_response');
  });

  it('refuses what cannot happen', async () => {
    const { id } = await openSession();
    const answer = await submit(`${standIn.url}/_controls/sessions/${id}/settle`, { outcome: 'perhaps' });
    expect(answer.status).toBe(400);
    expect((await submit(`${standIn.url}/_controls/nothing`, {})).status).toBe(404);
  });
});

describe('a price that changes on the page', () => {
  const openSale = () => openSession({ allow_promotion_codes: true, automatic_tax: { enabled: true } });
  const enter = async (url: string, code: string): Promise<string> =>
    (await submit(url, { method: 'promotion code', code })).text();

  it('by a promotion code and a tax is shown and paid', async () => {
    standIn.payments.taxPercent = 19;
    const { id, url } = await openSale();
    expect(await textAt(url)).toContain('Pay $177.31');
    const text = await enter(url, 'SAVE20');
    expect(text).toContain('Pay $141.85');
    expect(text).toContain('-$29.80');
    expect((await submit(url, { method: 'card', number: '4242 4242 4242 4242' })).status).toBe(303);
    expect(standIn.records.session(id)).toMatchObject({ amount_total: 14_185, payment_status: 'paid' });
  });

  it('to nothing is complete without a card', async () => {
    const { id, url } = await openSale();
    expect(await enter(url, 'free')).toContain('Pay $0.00');
    expect((await submit(url, { method: 'card', number: '' })).status).toBe(303);
    expect(statusOf(id)).toBe('no_payment_required');
  });

  it('does not for a code that is none, nor where none is taken', async () => {
    const { url } = await openSale();
    expect(await enter(url, 'COFFEE')).toContain('This code is invalid.');
    const plain = await openSession();
    expect(await textAt(plain.url)).not.toContain('Promotion code');
    expect(await enter(plain.url, 'SAVE20')).toContain('Pay $149.00');
  });
});
