import { type StartOrderReply } from '#contracts';
import { until } from '#testing';
import { Logger } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { composeBilling } from '../composed-billing.fixture.js';
import { times } from '../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../ledger/rules/ledger-options.js';
import { OrdersService } from './orders.service.js';
import { sellingThrough, useShop } from './shop.fixture.js';

const shop = useShop({ invoices: true });

jest.spyOn(Logger.prototype, 'error').mockReturnValue();
jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
afterAll(() => jest.restoreAllMocks());

/** The customers at Stripe, and the one that is stored for the account. */
async function customersOf(accountId: string): Promise<{ atStripe: string[]; stored: string | null }> {
  const [row] = await shop.ledger.query<{ id: string | null }>(
    'SELECT stripe_customer_id AS id FROM accounts WHERE id = $1',
    [accountId],
  );
  return { atStripe: [...shop.standIn.records.customers.keys()], stored: row?.id ?? null };
}

/** Several orders of the account at once, through both replicas. */
async function startMany(accountId: string): Promise<StartOrderReply[]> {
  return Promise.all(times(4, (replica) => shop.ask(accountId, { replica })));
}

describe('an account', () => {
  it('is one customer at Stripe, with its name and address, however many orders begin at once', async () => {
    const accountId = await shop.ledger.factory.account();
    await startMany(accountId);
    const { atStripe, stored } = await customersOf(accountId);
    expect(atStripe).toEqual([stored]);
    const [account] = await shop.ledger.query<object>('SELECT name, email FROM accounts');
    const customer = { ...account, metadata: { account_id: accountId } };
    expect(shop.standIn.records.customer(stored ?? '')).toMatchObject(customer);
    expect(new Set(shop.sessions.map((session) => session.customer))).toEqual(new Set([stored]));
    expect(shop.sessions).toHaveLength(4);
  });

  it('is the same customer when the reply of Stripe was lost', async () => {
    const accountId = await shop.ledger.factory.account();
    shop.standIn.failures.add({ kind: 'break', when: 'after', operation: 'create_customer', times: 3 });
    await expect(shop.ask(accountId)).rejects.toMatchObject({ code: 'unavailable' });
    await shop.ask(accountId, { replica: 1 });
    const { atStripe, stored } = await customersOf(accountId);
    expect(atStripe).toEqual([stored]);
  });

  it('waits a moment while another replica creates its customer', async () => {
    const accountId = await shop.ledger.factory.account();
    shop.standIn.failures.add({ kind: '409', operation: 'create_customer', times: 1 });
    expect(await shop.ask(accountId)).toMatchObject({ order: { state: 'open' } });
  });

  it.each([
    ['a failure that Stripe repeats for a day', '500', 'before', 1],
    ['another name under the same key', 'break', 'after', 3],
  ] as const)('gets a customer after %s', async (_what, kind, when, count) => {
    const accountId = await shop.ledger.factory.account();
    shop.standIn.failures.add({ kind, when, operation: 'create_customer', times: count });
    await shop.ask(accountId).catch(() => undefined);
    await shop.ledger.query(`UPDATE accounts SET name = 'Renamed' WHERE id = $1`, [accountId]);
    await shop.ask(accountId, { replica: 1 });
    const { atStripe, stored } = await customersOf(accountId);
    expect(atStripe.at(-1)).toBe(stored);
  });

  it('gets one new customer when Stripe does not know the stored one: deleted, or of test mode', async () => {
    const accountId = await shop.ledger.factory.account();
    await shop.ask(accountId);
    const { stored: first } = await customersOf(accountId);
    shop.standIn.invoicing.deleteCustomer(first ?? '');
    await startMany(accountId);
    const { atStripe, stored: second } = await customersOf(accountId);
    expect(second).not.toBe(first);
    expect(atStripe).toEqual([second]);
    expect(shop.sessions.slice(1).map((session) => session.customer)).toEqual(times(4, () => second));
  });

  it('keeps the customer that was stored first when Stripe has made two', async () => {
    const accountId = await shop.ledger.factory.account();
    const { held, release } = shop.hold('/v1/customers');
    const slow = shop.ask(accountId);
    await until(() => held.length === 1);
    shop.reconnect();
    await shop.ledger.query(`UPDATE accounts SET name = 'Renamed' WHERE id = $1`, [accountId]);
    await shop.ask(accountId, { replica: 1 });
    release();
    await slow;
    const { atStripe, stored } = await customersOf(accountId);
    expect(atStripe).toEqual([stored, expect.any(String)]);
    expect(shop.sessions.map((session) => session.customer)).toEqual([stored, stored]);
  });

  it('that was deleted meanwhile orders nothing', async () => {
    const ask = shop.ask(uuidv7());
    await expect(ask).rejects.toMatchObject({ code: 'not_found' });
    expect(shop.standIn.records.customers.size).toBe(0);
  });

  it('cannot buy, and is told so, when the key has no right to customers', async () => {
    shop.standIn.permissions.restrict({ customers: 'read' });
    const ask = shop.ask(await shop.ledger.factory.account());
    await expect(ask).rejects.toMatchObject({ code: 'conflict' });
    expect(shop.sessions).toEqual([]);
  });
});

describe('beside a replica of before, or where invoices were off', () => {
  async function before(): Promise<OrdersService> {
    const { dataSource, reports } = shop.ledger;
    const selling = sellingThrough(shop.standIn);
    const billing = await composeBilling({ dataSource, reports, options: defaultLedgerOptions, selling });
    return billing.get(OrdersService);
  }

  const asked = (account_id: string) => ({
    account_id,
    order_id: uuidv7(),
    person_id: uuidv7(),
    pack: 'builder' as const,
    pages_url: 'https://site.example/account',
  });

  it('an order without a customer is paid as it was, and the next one has one', async () => {
    const accountId = await shop.ledger.factory.account();
    await (await before()).start(asked(accountId));
    expect(await customersOf(accountId)).toEqual({ atStripe: [], stored: null });
    shop.standIn.payments.pay(shop.sessions[0]?.id ?? '', 'card');
    await shop.deliverAll();
    expect(await shop.lots(accountId)).toMatchObject([{ credits: 500 }]);
    await shop.ask(accountId);
    expect(shop.sessions[1]?.customer).toBe((await customersOf(accountId)).stored);
  });

  it('an order whose start failed there goes on here, with a customer', async () => {
    const accountId = await shop.ledger.factory.account();
    const request = asked(accountId);
    const old = await before();
    shop.standIn.failures.add({ kind: 'break', when: 'after', operation: 'create_session', times: 2 });
    await expect(old.start(request)).rejects.toMatchObject({ code: 'unavailable' });
    const { checkout_url } = await shop.ask(accountId, { orderId: request.order_id });
    const session = shop.sessions.find(({ url }) => url === checkout_url);
    expect(session?.customer).toBe((await customersOf(accountId)).stored);
  });
});
