import { randomUUID } from 'node:crypto';
import { type OrderView } from '#contracts';
import { Logger } from '@nestjs/common';
import { SuspensionsService } from '../../accounts/suspensions/suspensions.service.js';
import { times } from '../../ledger/ledger.fixture.js';
import { OrderDecisionsService } from '../operators/order-decisions.service.js';
import { OrdersService } from '../orders.service.js';
import { type Granted, useShop } from '../shop.fixture.js';
import { BuyersRefunds } from './buyers-refunds.service.js';

const shop = useShop();
const hourMs = 3_600_000;
const conflict = { code: 'conflict' };

beforeAll(() => {
  Logger.overrideLogger(false);
});

/** The owner presses the button. */
async function refund({ accountId, orderId }: Granted, replica = 0): Promise<OrderView> {
  const request = { account_id: accountId, order_id: orderId, person_id: randomUUID() };
  const composed = shop.replica(replica);
  return composed.get(OrdersService).show(await composed.get(BuyersRefunds).refund(request));
}

/** An hour later. */
async function reconcileLater(): Promise<void> {
  await shop.ledger.query(`UPDATE orders SET checked_at = checked_at - interval '2 hours'`);
  await shop.reconcile();
}

const refunds = () => [...shop.standIn.records.refunds.values()];
const offerOf = async (order: Granted) => (await shop.view(order)).refund;

it('an unused order is offered to be refunded for 24 hours, and is refunded', async () => {
  await shop.at(0);
  const order = await shop.granted();
  expect(await offerOf(order)).toEqual({ state: 'possible', until: '2026-03-02T12:00:00.000Z' });
  await shop.at(24 * hourMs - 1);
  expect(await refund(order)).toMatchObject({
    state: 'granted',
    returned_cents: 14_900,
    credits_taken_back: 500,
    credits_not_recovered: 0,
    refund: null,
  });
  expect(refunds()).toMatchObject([{ amount: 14_900, reason: 'requested_by_customer' }]);
  expect(await shop.ledger.balance(order.accountId)).toBe(0);
  expect(await shop.order(order)).toMatchObject({ refundPending: false, refundAttempts: 1 });
});

it('it is too late from 24 hours on', async () => {
  await shop.at(0);
  const order = await shop.granted();
  await shop.at(24 * hourMs);
  expect(await offerOf(order)).toBeNull();
  await expect(refund(order)).rejects.toMatchObject({
    ...conflict,
    message: expect.stringContaining('within 24 hours') as string,
  });
  expect(await shop.ledger.balance(order.accountId)).toBe(500);
});

it('one credit that is used, or held by a call, is enough to refuse it, and it says so', async () => {
  const order = await shop.granted();
  const customer = await shop.customerOf(order);
  const [service] = shop.ledger.replicas;
  const held = await customer.charge(service, 1);
  const refused = { ...conflict, message: expect.stringContaining('used, or are held by a call') as string };
  await expect(refund(order)).rejects.toMatchObject(refused);
  expect(await offerOf(order)).toMatchObject({ state: 'used' });
  await customer.settle(service, held.id, 'voided');
  expect(await offerOf(order)).toMatchObject({ state: 'possible' });
  const used = await customer.charge(service, 1);
  await customer.settle(service, used.id, 'posted');
  await expect(refund(order)).rejects.toMatchObject(refused);
  expect(refunds()).toEqual([]);
  expect(await shop.ledger.balance(order.accountId)).toBe(499);
});

it('calls that race with it were charged first, or find no credits', async () => {
  // Whichever comes first: in every second round, calls are sent before the button is pressed.
  for (let round = 0; round < 12; round++) {
    const order = await shop.granted();
    const customer = await shop.customerOf(order);
    const call = () => customer.charge(shop.ledger.replica(round), 1);
    const early = round % 2 === 0 ? [call(), call()] : [];
    const asked = refund(order, 1).then(
      () => 'refunded',
      () => 'refused',
    );
    const replies = await Promise.all([...early, call(), call()]);
    const outcome = await asked;
    const charged = replies.filter(({ reply }) => reply.outcome === 'charged').length;
    expect(charged === 0 ? 'refunded' : 'refused').toBe(outcome);
    expect(await shop.ledger.balance(order.accountId)).toBe(outcome === 'refunded' ? 0 : 500 - charged);
  }
});

it('pressed several times in several tabs, it is one refund', async () => {
  const order = await shop.granted();
  await Promise.all(times(6, (number) => refund(order, number)));
  expect(await refund(order)).toMatchObject({ returned_cents: 14_900, credits_taken_back: 500 });
  expect(refunds()).toHaveLength(1);
  expect(await shop.adjustments(order.accountId)).toHaveLength(1);
});

it('together with that of an operator it is one refund', async () => {
  const order = await shop.granted();
  const operator = shop.replica(1).get(OrderDecisionsService);
  const both = [refund(order), operator.refund(order.orderId, undefined)];
  await Promise.allSettled(both);
  await reconcileLater();
  expect(refunds().reduce((sum, { amount }) => sum + amount, 0)).toBe(14_900);
  expect(await shop.comeBack(order)).toMatchObject({ returned_cents: 14_900, credits_taken_back: 500 });
});

describe('while Stripe does not answer', () => {
  const pending = { returned_cents: 0, credits_taken_back: 500, refund: { state: 'requested' } };

  it('the credits are held, and the refund is made once it does', async () => {
    const order = await shop.granted();
    shop.disconnect('refunds');
    expect(await refund(order)).toMatchObject(pending);
    expect(await refund(order, 1)).toMatchObject(pending);
    expect(await shop.ledger.balance(order.accountId)).toBe(0);
    await reconcileLater();
    expect(await shop.view(order)).toMatchObject(pending);
    shop.reconnect();
    await reconcileLater();
    expect(await shop.view(order)).toMatchObject({ returned_cents: 14_900, refund: null });
    expect(refunds()).toHaveLength(1);
  });

  it('a reply that was lost makes no second refund, and an event is enough to know', async () => {
    const order = await shop.granted();
    shop.standIn.failures.add({ kind: 'break', when: 'after', operation: 'create_refund', times: 2 });
    expect(await refund(order)).toMatchObject(pending);
    await shop.deliverAll();
    expect(await shop.view(order)).toMatchObject({ returned_cents: 14_900, refund: null });
    await reconcileLater();
    expect(refunds()).toHaveLength(1);
    expect(await shop.order(order)).toMatchObject({ refundPending: false });
  });

  it('an answer about the order that is not refunded yet gives nothing back', async () => {
    const order = await shop.granted();
    shop.disconnect('refunds');
    await refund(order);
    await shop.refresh(order);
    expect(await shop.ledger.balance(order.accountId)).toBe(0);
  });
});

it('a refusal of Stripe gives the credits back, and says whom to ask', async () => {
  const order = await shop.granted();
  shop.standIn.permissions.restrict({ charges: 'read' });
  await expect(refund(order)).rejects.toMatchObject({
    ...conflict,
    message: 'The payment provider refused the refund. Contact us about this order.',
  });
  expect(await shop.ledger.balance(order.accountId)).toBe(500);
  shop.standIn.permissions.restrict({});
  expect(await refund(order)).toMatchObject({ returned_cents: 14_900 });
  const credits = (await shop.adjustments(order.accountId)).map((adjustment) => adjustment.credits);
  expect(credits).toEqual([-500, 500, -500]);
});

it.each([
  ['of all of it', {}, 500, 14_900],
  ['of a part', { amount: 1_490 }, 50, 1_490],
])(
  'a dispute %s that comes first decides, and the money goes back once',
  async (_what, part, taken, cents) => {
    const order = await shop.granted();
    shop.standIn.returns.dispute(order.intentId, part);
    await refund(order).catch((error: unknown) => expect(error).toMatchObject(conflict));
    await shop.deliverAll();
    expect(refunds()).toEqual([]);
    expect(await shop.order(order)).toMatchObject({
      returnedCents: cents,
      creditsTakenBack: taken,
      refundPending: false,
    });
    expect(await shop.ledger.balance(order.accountId)).toBe(500 - taken);
  },
);

it('a refund that fails at the bank puts the credits back', async () => {
  const order = await shop.granted();
  await refund(order);
  shop.standIn.returns.failRefund(refunds()[0]?.id ?? '');
  await shop.deliverAll();
  expect(await shop.view(order)).toMatchObject({ returned_cents: 0, credits_taken_back: 0 });
  expect(await shop.ledger.balance(order.accountId)).toBe(500);
});

it('the fourth within 30 days is for an operator', async () => {
  const first = await shop.granted();
  const { accountId } = first;
  await refund(first);
  const next = async (): Promise<Granted> => {
    const started = await shop.start(accountId);
    shop.standIn.payments.pay(started.sessionId, 'card');
    await shop.comeBack(started);
    return { ...started, intentId: shop.intentOf(started) };
  };
  await refund(await next());
  await refund(await next());
  await expect(refund(await next())).rejects.toMatchObject(conflict);
  expect(await shop.ledger.balance(accountId)).toBe(500);
});

it('a suspended account is refused, and told whom to ask', async () => {
  const order = await shop.granted();
  const request = { account_id: order.accountId, reason: 'a chargeback' };
  await shop.ledger.get(SuspensionsService).suspend(request);
  await expect(refund(order)).rejects.toMatchObject({
    ...conflict,
    message: expect.stringContaining('suspended') as string,
  });
  expect(await shop.ledger.balance(order.accountId)).toBe(500);
});

it('an order of others is not found, and one without a payment is refused', async () => {
  const order = await shop.granted();
  const other = await shop.granted();
  await expect(refund({ ...order, accountId: other.accountId })).rejects.toMatchObject({ code: 'not_found' });
  const unpaid = await shop.started();
  await expect(refund({ ...unpaid, intentId: '' })).rejects.toMatchObject(conflict);
});
