import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { OrdersService } from './orders.service.js';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { AdjustmentsService } from '../credits/adjustments.service.js';
import { lotReference } from '../credits/references.js';
import { PurchasesService } from '../credits/purchases.service.js';
import { useShop } from './shop.fixture.js';

const shop = useShop();
const unavailable = { code: 'unavailable' };

describe('an order that is started', () => {
  it('leads to a page of Stripe for the pack and its price, and back', async () => {
    const accountId = await shop.ledger.factory.account();
    const orderId = uuidv7();
    const { order, checkout_url } = await shop.ask(accountId, { orderId, pack: 'scale' });
    expect(order).toMatchObject({
      id: orderId,
      pack: 'scale',
      credits: 2_500,
      price_cents: 59_900,
      state: 'open',
      granted_at: null,
      expires_at: null,
      returned_cents: 0,
    });
    const [session] = shop.sessions;
    expect(checkout_url).toBe(session?.url);
    expect(session).toMatchObject({
      amount_total: 59_900,
      currency: 'usd',
      client_reference_id: orderId,
      success_url: `https://site.example/account/buy/${orderId}?returned=1`,
      cancel_url: 'https://site.example/account/buy',
    });
    expect(await shop.ledger.balance(accountId)).toBe(0);
  });

  it('is one order with one session, however often and through whichever replica the message comes', async () => {
    const accountId = await shop.ledger.factory.account();
    const orderId = uuidv7();
    const asked = Array.from({ length: 4 }, (_, replica) => shop.ask(accountId, { orderId, replica }));
    const replies = await Promise.all(asked);
    expect(new Set(replies.map(({ checkout_url }) => checkout_url)).size).toBe(1);
    expect(shop.sessions).toHaveLength(1);
    expect(await shop.ask(accountId, { orderId })).toEqual(replies[0]);
  });

  it.each([
    ['for another pack', { pack: 'trial' as const }],
    ['by another account', {}],
  ])('cannot be started again %s', async (why, change) => {
    const { accountId, orderId } = await shop.started();
    const who = why === 'by another account' ? await shop.ledger.factory.account() : accountId;
    await expect(shop.ask(who, { orderId, ...change })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('needs an account', async () => {
    await expect(shop.ask(randomUUID())).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is refused after 20 others within an hour', async () => {
    await shop.ledger.factory.setClock(new Date('2026-03-01T12:00:00Z'));
    const accountId = await shop.ledger.factory.account();
    for (let count = 0; count < 20; count++) await shop.ask(accountId);
    await expect(shop.ask(accountId)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await shop.ask(await shop.ledger.factory.account())).toMatchObject({ order: { state: 'open' } });
    await shop.ledger.factory.setClock(new Date('2026-03-01T13:00:01Z'));
    expect(await shop.ask(accountId)).toMatchObject({ order: { state: 'open' } });
  });
});

describe('an order without a session', () => {
  it('is not started again a day later: it would get a second one', async () => {
    await shop.ledger.factory.setClock(new Date('2026-03-01T12:00:00Z'));
    const accountId = await shop.ledger.factory.account();
    const orderId = uuidv7();
    shop.disconnect();
    await expect(shop.ask(accountId, { orderId })).rejects.toMatchObject(unavailable);
    shop.reconnect();
    await shop.ledger.factory.setClock(new Date('2026-03-02T08:00:01Z'));
    await expect(shop.ask(accountId, { orderId })).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('an order that the buyer comes back to', () => {
  it('has its credits once it is paid, for 30 days from then', async () => {
    const { ledger } = shop;
    await ledger.factory.setClock(new Date('2026-03-01T12:00:00Z'));
    const started = await shop.start(await ledger.factory.account());
    expect(await shop.comeBack(started)).toMatchObject({ state: 'open' });
    shop.standIn.payments.pay(started.sessionId, 'declined card');
    expect(await shop.comeBack(started)).toMatchObject({ state: 'open' });
    await ledger.factory.setClock(new Date('2026-03-01T13:00:00Z'));
    shop.standIn.payments.pay(started.sessionId, 'card');
    expect(await shop.comeBack(started)).toMatchObject({
      state: 'granted',
      granted_at: '2026-03-01T13:00:00.000Z',
      expires_at: '2026-03-31T13:00:00.000Z',
    });
    expect(await ledger.balance(started.accountId)).toBe(500);
    expect(await shop.lots(started.accountId)).toEqual([
      { credits: 500, remaining: 500, reference: lotReference(started.orderId) },
    ]);
    await ledger.factory.setClock(new Date('2026-03-31T13:00:00Z'));
    expect(await ledger.balance(started.accountId)).toBe(0);
  });

  it('has a receipt of Stripe once it is paid', async () => {
    const started = await shop.started();
    expect(await shop.comeBack(started)).toMatchObject({ receipt_url: null });
    shop.standIn.payments.pay(started.sessionId, 'card');
    const { receipt_url } = await shop.comeBack(started);
    expect(receipt_url).toContain('/receipts/ch_');
    expect(await (await fetch(receipt_url ?? '')).text()).toContain('$149.00');
  });

  it('is not found by another account', async () => {
    const started = await shop.started();
    const stranger = await shop.ledger.factory.account();
    const notFound = { code: 'not_found' };
    await expect(shop.comeBack({ ...started, accountId: stranger })).rejects.toMatchObject(notFound);
    await expect(shop.comeBack({ ...started, orderId: uuidv7() })).rejects.toMatchObject(notFound);
  });

  it('is granted in addition to any number of credits: what is paid is never refused', async () => {
    const accountId = await shop.ledger.factory.account();
    await shop.ledger.factory.lot({ accountId, credits: 2_000_000_000 });
    const started = await shop.start(accountId);
    shop.standIn.payments.pay(started.sessionId, 'card');
    expect(await shop.comeBack(started)).toMatchObject({ state: 'granted' });
    expect(await shop.ledger.balance(accountId)).toBe(2_000_000_500);
  });
});

describe('the orders of an account', () => {
  it('are listed newest first, page by page, and no others', async () => {
    const accountId = await shop.ledger.factory.account();
    await shop.started();
    const ids: string[] = [];
    for (const hour of [1, 1, 2, 3, 3]) {
      await shop.ledger.factory.setClock(new Date(`2026-03-01T0${hour}:00:00Z`));
      ids.unshift((await shop.start(accountId)).orderId);
    }
    const orders = shop.replicas[0].get(OrdersService);
    const listed: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await orders.list({ account_id: accountId, limit: 2, ...(cursor ? { cursor } : {}) });
      listed.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(listed).toEqual(ids);
    await expect(orders.list({ account_id: accountId, limit: 2, cursor: 'x' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });
});

describe('references of orders', () => {
  it('are not for purchases and adjustments of operators: these would stand in for what is paid', async () => {
    const { ledger } = shop;
    const account_id = await ledger.factory.account();
    const reference = lotReference(uuidv7());
    const reserved = { details: { reference: [expect.any(String) as string] } };
    await expect(
      ledger.get(PurchasesService).purchase({ account_id, pack: 'trial', reference }),
    ).rejects.toMatchObject(reserved);
    await expect(
      ledger.get(AdjustmentsService).adjust({ account_id, credits: 1, reason: 'test', reference }),
    ).rejects.toMatchObject(reserved);
  });
});

describe('without keys of Stripe', () => {
  const ledger = useAuditedLedger();

  it('nothing is sold, and that can be seen', async () => {
    const orders = ledger.get(OrdersService);
    expect(orders.selling()).toEqual({
      is_open: false,
      is_test: true,
      checkout_origin: 'https://checkout.stripe.com',
      adds_tax: false,
      makes_invoices: false,
    });
    const request = {
      account_id: await ledger.factory.account(),
      order_id: uuidv7(),
      person_id: randomUUID(),
      pack: 'trial' as const,
      pages_url: 'https://site.example',
    };
    await expect(orders.start(request)).rejects.toMatchObject({ code: 'conflict' });
    expect(await ledger.query('SELECT id FROM orders')).toEqual([]);
  });
});
