import { takePaymentEvent } from '#contracts';
import { connect, type Socket } from 'node:net';
import { eventually, until } from '#testing';
import { startStripeStandIn } from '#stripe-stand-in';
import Stripe from 'stripe';
import { limits } from '../limits.js';
import { WebsiteFixture } from '../fixtures/website.fixture.js';

const secret = 'whsec_test';
const burst = 40;
/** Requests of the website that a replica of billing works on at once. */
const atOnce = 24;
const mebibyte = 1_048_576;

describe('POST /webhooks/stripe', () => {
  const site = new WebsiteFixture();
  beforeAll(() => site.begin());
  afterAll(() => site.stop());
  beforeEach(() => {
    site.services.reset();
    site.services.on(takePaymentEvent, () => ({ taken: true as const }));
  });

  const url = () => `${site.origin}/webhooks/stripe`;
  const taken = () => site.services.payloadsOf(takePaymentEvent);
  const post = (body: BodyInit | undefined, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url(), { method: 'POST', body, headers: { 'stripe-signature': 't=1,v1=ab', ...headers } });

  it('takes an event of Stripe byte for byte, so that its signature still holds', async () => {
    const standIn = await startStripeStandIn();
    standIn.webhooks.endpoint = { url: url(), secret };
    const { hostname: host, port } = new URL(standIn.url);
    const stripe = new Stripe(standIn.secretKey, { host, port, protocol: 'http' });
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [
        { quantity: 1, price_data: { currency: 'usd', unit_amount: 1_900, product_data: { name: 'Ünï' } } },
      ],
      success_url: 'https://site.example/paid',
    });
    standIn.payments.pay(session.id, 'card');
    await standIn.webhooks.settled();
    const types = taken().map(
      ({ body, signature }) => Stripe.webhooks.constructEvent(body, signature, secret).type,
    );
    expect(types).toContain('checkout.session.completed');
    expect(new Set(standIn.webhooks.deliveries.map(({ status }) => status))).toEqual(new Set([200]));
    await standIn.stop();
  });

  it('says what is missing without a signature, before it takes the body', async () => {
    const answer = await fetch(url(), { method: 'POST', body: '{}' });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        error: expect.stringContaining('the header is missing') as string,
        details: { 'stripe-signature': [expect.any(String)] },
      },
    ]);
    expect(taken()).toEqual([]);
  });

  it.each([
    ['a forged signature', 'invalid_request', 400],
    ['an event that it could not take, which Stripe sends again', 'unavailable', 503],
  ] as const)('passes on what billing says about %s', async (_what, code, status) => {
    site.services.refuse(takePaymentEvent, code, 'What billing says.');
    const answer = await post('{}');
    expect([answer.status, await answer.json()]).toEqual([status, { error: 'What billing says.' }]);
  });

  it.each([
    ['nothing', undefined],
    ['what is not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d)],
  ])('400 for a body of %s', async (_name, body) => {
    const answer = await post(body);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: expect.any(String) as string, details: { body: [expect.any(String)] } },
    ]);
    expect(taken()).toEqual([]);
  });

  it('takes the evidence of a dispute whole, up to a mebibyte, and no more', async () => {
    const body = JSON.stringify({ evidence: 'é'.repeat(150_000) });
    expect((await post(body)).status).toBe(200);
    expect(taken()[0]?.body).toBe(body);
    expect((await post('x'.repeat(mebibyte))).status).toBe(200);
    expect((await post('x'.repeat(mebibyte + 1))).status).toBe(413);
    expect(taken()).toHaveLength(2);
  });

  it('takes a burst as large as a refund of many payments sends, each event for itself', async () => {
    let underWay = 0;
    site.services.on(takePaymentEvent, async () => {
      underWay += 1;
      await until(() => underWay >= atOnce);
      return { taken: true as const };
    });
    const statuses = await Promise.all(
      Array.from({ length: burst }, async (_, number) => (await post(`{"id":"evt_${number}"}`)).status),
    );
    expect(statuses).toEqual(Array<number>(burst).fill(200));
  });

  it('holds a bounded number of bodies of a network: one more is a 503, and taken once another has ended', async () => {
    const head = [
      'POST /webhooks/stripe HTTP/1.1',
      'Host: a',
      'Stripe-Signature: t=1,v1=ab',
      'Content-Length: 9',
    ];
    const { hostname, port } = new URL(site.origin);
    // Some more: an event that is sent before all have arrived takes the place of one.
    const sockets = Array.from({ length: limits.paymentEventsOfNetwork + 8 }, () =>
      connect(Number(port), hostname, function (this: Socket) {
        this.write(`${head.join('\r\n')}\r\n\r\nheld`);
      }),
    );
    try {
      await eventually(async () => {
        const refused = await post('{}');
        expect(refused.status).toBe(503);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      });
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await eventually(async () => expect((await post('{}')).status).toBe(200));
  });
});
