import { type StartOrderReply } from '#contracts';
import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { hourMs } from '../durations.js';
import { sellingOff } from '../composed-billing.fixture.js';
import { times } from '../ledger/ledger.fixture.js';
import { OrdersService } from './orders.service.js';
import { useShop } from './shop.fixture.js';

const shop = useShop({ invoices: true, automaticTax: true, promotionCodes: true });
const errors = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
beforeEach(() => errors.mockClear());
afterAll(() => jest.restoreAllMocks());

type Press = (replica?: number) => Promise<StartOrderReply>;

/** An order of a new account that was not requested yet. */
async function newOrder(): Promise<{ accountId: string; orderId: string; press: Press }> {
  const accountId = await shop.ledger.factory.account();
  const orderId = uuidv7();
  return { accountId, orderId, press: (replica = 0) => shop.ask(accountId, { orderId, replica }) };
}

describe('an order that is started', () => {
  it('leads to a page of Stripe for the pack and its price, with tax and promotion codes, and back', async () => {
    const { accountId, orderId } = await newOrder();
    const { order, checkout_url } = await shop.ask(accountId, { orderId, pack: 'scale' });
    const terms = { id: orderId, pack: 'scale', credits: 2_500, price_cents: 59_900 };
    expect(order).toMatchObject({ ...terms, state: 'open', granted_at: null });
    expect(shop.sessions[0]).toMatchObject({
      url: checkout_url,
      amount_total: 59_900,
      success_url: `https://site.example/account/buy/${orderId}?returned=1`,
      cancel_url: 'https://site.example/account/buy',
      allow_promotion_codes: true,
      automatic_tax: { enabled: true },
    });
    const { adds_tax, makes_invoices } = shop.replica(0).get(OrdersService).selling();
    expect([adds_tax, makes_invoices]).toEqual([true, true]);
  });

  it('is no other order, nor one of another account, or of none', async () => {
    const { accountId, orderId } = await shop.started();
    const [conflict, notFound] = [{ code: 'conflict' }, { code: 'not_found' }];
    const stranger = await shop.ledger.factory.account();
    await expect(shop.ask(accountId, { orderId, pack: 'trial' })).rejects.toMatchObject(conflict);
    await expect(shop.ask(stranger, { orderId })).rejects.toMatchObject(conflict);
    await expect(shop.ask(randomUUID())).rejects.toMatchObject(notFound);
    await expect(shop.view({ accountId: stranger, orderId, sessionId: '' })).rejects.toMatchObject(notFound);
  });

  it('is refused after 20 others within an hour', async () => {
    await shop.at(0);
    const accountId = await shop.ledger.factory.account();
    for (let count = 0; count < 20; count++) await shop.ask(accountId);
    await expect(shop.ask(accountId)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await shop.ask(await shop.ledger.factory.account())).toMatchObject({ order: { state: 'open' } });
    await shop.at(hourMs + 1_000);
    expect(await shop.ask(accountId)).toMatchObject({ order: { state: 'open' } });
  });

  it('is refused, and not stored, where nothing is sold', async () => {
    const closed = await shop.ledger.anotherReplica({ selling: sellingOff });
    const orders = closed.get(OrdersService);
    expect(orders.selling()).toMatchObject({ is_open: false, adds_tax: false, makes_invoices: false });
    const asked = { account_id: randomUUID(), order_id: uuidv7(), person_id: randomUUID() };
    const start = orders.start({ ...asked, pack: 'trial', pages_url: 'https://site.example' });
    await expect(start).rejects.toMatchObject({ code: 'conflict' });
    expect(await shop.ledger.query('SELECT FROM orders')).toEqual([]);
  });
});

describe('a start that failed', () => {
  it('works with the same button once Stripe does, however often it failed: Stripe repeats its failures', async () => {
    const { orderId, press } = await newOrder();
    shop.standIn.failures.add({ kind: '500', operation: 'create_session' });
    for (const replica of [0, 1, 0]) {
      await expect(press(replica)).rejects.toMatchObject({ code: 'unavailable' });
    }
    expect(await shop.order({ orderId })).toMatchObject({ checkoutAttempts: 7, checkoutSessionId: null });
    shop.standIn.failures.clear();
    expect((await press()).checkout_url).toBe(shop.sessions[0]?.url);
  });

  it.each([
    ['409', 'before', 1],
    ['429', 'before', 1],
    ['break', 'after', 2],
  ] as const)('without a result is repeated under its key: %s %s its work', async (kind, when, times) => {
    const { orderId, press } = await newOrder();
    shop.standIn.failures.add({ kind, when, operation: 'create_session', times });
    await expect(press()).rejects.toMatchObject({ code: 'unavailable' });
    expect(await shop.order({ orderId })).toMatchObject({ checkoutAttempts: 1, checkoutSessionId: null });
    expect((await press()).checkout_url).toBe(shop.sessions[0]?.url);
    expect(shop.sessions).toHaveLength(1);
  });

  it('because of the key: the buyer reads that nothing was taken, operators what to do', async () => {
    const { press } = await newOrder();
    const refused = {
      code: 'conflict',
      message: expect.stringContaining('Nothing was ordered or taken from you') as string,
    };
    shop.standIn.permissions.restrict({ checkout_sessions: 'read' });
    await expect(press()).rejects.toMatchObject(refused);
    expect(String(errors.mock.calls)).toContain('allowed Checkout Sessions: Write');
    shop.standIn.permissions.restrict({});
    shop.standIn.failures.add({ kind: '401', operation: 'create_session', times: 1 });
    await expect(press()).rejects.toMatchObject(refused);
    expect(String(errors.mock.calls)).toContain('does not know STRIPE_SECRET_KEY');
    expect((await press()).checkout_url).toBe(shop.sessions[0]?.url);
  });

  it('is not tried again a day later, when Stripe has forgotten its key', async () => {
    await shop.at(0);
    const { press } = await newOrder();
    shop.disconnect();
    await expect(press()).rejects.toMatchObject({ code: 'unavailable' });
    shop.reconnect();
    await shop.at(20 * hourMs + 1_000);
    await expect(press()).rejects.toMatchObject({ code: 'conflict' });
  });

  it.each(['before', 'after'] as const)(
    'several times at once never shows two pages to pay on: 500 %s its work',
    async (when) => {
      const { orderId, press } = await newOrder();
      shop.standIn.failures.add({ kind: '500', operation: 'create_session', when, times: 5 });
      const pressed = times(4, (replica) => press(replica).catch(() => null));
      const shown = (await Promise.all(pressed)).flatMap((reply) => reply?.checkout_url ?? []);
      shop.standIn.failures.clear();
      shown.push((await press(1)).checkout_url);
      const { checkoutUrl } = await shop.order({ orderId });
      expect(new Set(shown)).toEqual(new Set([checkoutUrl]));
    },
  );
});

describe('the customer of an account at Stripe', () => {
  /** Customers of the account at Stripe, and the one that is stored for it. */
  async function customersOf(accountId: string): Promise<{ atStripe: string[]; stored: string | null }> {
    const sql = 'SELECT stripe_customer_id AS id FROM accounts WHERE id = $1';
    const [row] = await shop.ledger.query<{ id: string | null }>(sql, [accountId]);
    return { atStripe: [...shop.standIn.records.customers.keys()], stored: row?.id ?? null };
  }
  const startMany = (accountId: string) =>
    Promise.all(times(4, (replica) => shop.ask(accountId, { replica })));
  const rename = () => shop.ledger.query(`UPDATE accounts SET name = 'Renamed'`);

  it('is one, with its name and address, however many orders begin at once', async () => {
    const accountId = await shop.ledger.factory.account();
    await startMany(accountId);
    const { atStripe, stored } = await customersOf(accountId);
    expect(atStripe).toEqual([stored]);
    const [account] = await shop.ledger.query<object>('SELECT name, email FROM accounts');
    expect(shop.standIn.records.customer(stored ?? '')).toMatchObject(account ?? {});
    expect(shop.sessions.map((session) => session.customer)).toEqual(times(4, () => stored));
    // It is replaced once when Stripe does not know it: it was deleted, or is of test mode.
    shop.standIn.invoicing.deleteCustomer(stored ?? '');
    await startMany(accountId);
    const { atStripe: all, stored: second } = await customersOf(accountId);
    expect(all).toEqual([second]);
    expect(shop.sessions.slice(4).map((session) => session.customer)).toEqual(times(4, () => second));
  });

  it.each([
    ['a reply that was lost', 'break', 'after', 3, 1],
    ['a wait for another replica that creates it', '409', 'before', 1, 1],
    ['a failure that Stripe repeats for a day', '500', 'before', 1, 1],
    ['another name under the same key', 'break', 'after', 3, 2],
  ] as const)('is created after %s', async (what, kind, when, count, customers) => {
    const accountId = await shop.ledger.factory.account();
    shop.standIn.failures.add({ kind, when, operation: 'create_customer', times: count });
    await shop.ask(accountId).catch(() => undefined);
    if (what.startsWith('another name')) await rename();
    await shop.ask(accountId, { replica: 1 });
    const { atStripe, stored } = await customersOf(accountId);
    expect(atStripe).toHaveLength(customers);
    expect(atStripe.at(-1)).toBe(stored);
  });
});
