import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { authenticateKey, ServiceError, takePaymentEvent } from '#contracts';
import { metricsText } from '#platform';
import { gate, until } from '#testing';
import { startStripeStandIn, type StripeStandIn } from '#stripe-stand-in';
import Stripe from 'stripe';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';

const secret = 'whsec_test';
const burst = 40;
const mebibyte = 1_048_576;
/** Of the memory of bodies. */
const ofNetworkMax = 8 * mebibyte;

describe('POST /webhooks/stripe', () => {
  let api: PublicApiFixture;
  let sockets: Socket[];

  beforeAll(async () => (api = await PublicApiFixture.start()));
  afterAll(() => api?.stop());
  beforeEach(() => {
    sockets = [];
    api.scriptSuccess();
    api.services.on(takePaymentEvent, () => ({ taken: true as const }));
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
  });

  const url = () => `${api.origin}/webhooks/stripe`;
  const taken = () => api.services.payloadsOf(takePaymentEvent);
  const post = (body: BodyInit | undefined, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url(), { method: 'POST', body, headers: { 'stripe-signature': 't=1,v1=ab', ...headers } });

  async function bodyBytes(): Promise<number> {
    return Number(/^creator_search_http_body_bytes (\d+)$/m.exec((await metricsText()).text)?.[1]);
  }

  /** A client that has sent the head of a large event, which has arrived, and no body yet. */
  async function hold(): Promise<Socket> {
    const socket = connect({ port: api.port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    const head = [
      'POST /webhooks/stripe HTTP/1.1',
      'Host: a',
      'Stripe-Signature: t=1',
      `Content-Length: ${mebibyte}`,
    ];
    socket.write([...head, 'Expect: 100-continue', '', ''].join('\r\n'));
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 100 /);
    return socket;
  }

  describe('of Stripe itself', () => {
    let standIn: StripeStandIn;
    beforeEach(async () => {
      standIn = await startStripeStandIn({ webhookEndpoint: { url: url(), secret } });
    });
    afterEach(() => standIn.stop());

    async function pay(): Promise<void> {
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
    }

    it('reaches billing byte for byte, so that its signature still holds', async () => {
      await pay();
      const types = taken().map(
        ({ body, signature }) => Stripe.webhooks.constructEvent(body, signature, secret).type,
      );
      expect(types).toContain('checkout.session.completed');
      expect(new Set(standIn.webhooks.deliveries.map(({ status }) => status))).toEqual(new Set([200]));
    });

    it('is sent again when billing could not take it', async () => {
      let fails = 2;
      api.services.on(takePaymentEvent, () => {
        if (fails-- > 0) throw new ServiceError('unavailable', 'Stripe does not answer.');
        return { taken: true as const };
      });
      await pay();
      const statuses = standIn.webhooks.deliveries.map(({ status }) => status);
      expect(statuses.filter((status) => status === 503)).toHaveLength(2);
      expect(statuses.at(-1)).toBe(200);
    });
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

  it('passes on what billing says about a forged signature', async () => {
    api.services.on(takePaymentEvent, () => {
      throw new ServiceError('invalid_request', 'The signature does not belong to this body.');
    });
    const answer = await post('{}');
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'The signature does not belong to this body.' },
    ]);
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

  it('leaves the limit of other routes as it is', async () => {
    const answer = await api.get('/lookup', {
      method: 'POST',
      headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
      body: 'x'.repeat(65_537),
    });
    expect(answer.status).toBe(413);
  });

  it('asks about no API key, whatever is sent as one', async () => {
    expect((await post('{}', { authorization: `Bearer ${api.key}` })).status).toBe(200);
    expect(api.services.payloadsOf(authenticateKey)).toEqual([]);
  });

  it.each(['GET', 'PUT', 'DELETE'])('405 for %s, which names POST', async (method) => {
    const answer = await fetch(url(), { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('takes a burst as large as a refund of many payments sends, each event for itself', async () => {
    let underWay = 0;
    api.services.on(takePaymentEvent, async () => {
      underWay += 1;
      await until(() => underWay >= burst);
      return { taken: true as const };
    });
    const statuses = await Promise.all(
      Array.from({ length: burst }, async (_, number) => (await post(`{"id":"evt_${number}"}`)).status),
    );
    expect(statuses).toEqual(Array<number>(burst).fill(200));
  });

  it('takes events while clients of the same network hold large ones that they never finish', async () => {
    // Three times the memory of a network, and as many as its tokens pay for.
    for (let count = 0; count < 24; count += 1) {
      const socket = await hold();
      socket.write(Buffer.alloc(mebibyte - 1, 'x'));
    }
    await until(async () => (await bodyBytes()) > mebibyte);
    expect((await post('{}')).status).toBe(200);
    expect(await bodyBytes()).toBeLessThanOrEqual(ofNetworkMax);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await bodyBytes()) === 0);
  });

  it('lets an event that is taken slowly keep no other one waiting', async () => {
    const end = gate();
    api.services.on(takePaymentEvent, async ({ body }) => {
      if (body === 'slow') await end.opened;
      return { taken: true as const };
    });
    const slow = Array.from({ length: burst }, () => post('slow'));
    await until(() => taken().length === burst);
    expect((await post('{}')).status).toBe(200);
    end.open();
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual(Array<number>(burst).fill(200));
  });
});
