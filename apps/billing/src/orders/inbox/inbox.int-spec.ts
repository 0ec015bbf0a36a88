import { metricsText } from '#platform';
import { TransactionRunner } from '#platform/database';
import { until } from '#testing';
import { type Started, useShop } from '../shop.fixture.js';
import { OrderGauges } from '../operators/order-gauges.js';
import { PaymentEventsService } from './payment-events.service.js';
import { EventWorker } from './event-worker.js';
import { oldRowsStep } from '../../schedule/old-rows.fixture.js';
import { leaseMs, PaymentEventsRepository } from './payment-events.repository.js';

const shop = useShop();
const minute = 60_000;
const day = 1_440 * minute;

beforeEach(() => shop.at(0));

/** An order that was paid, and its event. */
async function paid(): Promise<{ order: Started; event: object }> {
  const order = await shop.paid();
  const event = shop.events.findLast(({ type }) => type === 'checkout.session.completed');
  if (!event) throw new Error('there is no event');
  return { order, event };
}

const states = async (): Promise<string[]> => (await shop.inbox()).map(({ state }) => state);

it('twelve refunds at once, delivered in any order and again, are applied once, by two replicas together', async () => {
  const orders = await shop.grantedOrders(12);
  const before = shop.events.length;
  for (const { intentId } of orders) shop.standIn.returns.refund(intentId);
  const delivered = shop.events.slice(before);
  const shuffled = [...delivered, ...delivered].sort(() => Math.random() - 0.5);
  await Promise.all(shuffled.map((event, number) => shop.post(event, number)));
  const questions = shop.countQuestions();
  await Promise.all([shop.work(0), shop.work(1)]);
  // Of each payment there are several events, which one question answers; two replicas that look at the same instant may share them.
  expect(questions()).toBeGreaterThanOrEqual(12);
  expect(questions()).toBeLessThan(delivered.length);
  expect(new Set(await states())).toEqual(new Set(['done']));
  for (const order of orders) expect(await shop.ledger.balance(order.accountId)).toBe(0);
});

it('events of a payment that come while Stripe is asked about it are answered by one more question', async () => {
  const { order, event } = await paid();
  const { held, release } = shop.hold(order.sessionId);
  await shop.post(event);
  const first = shop.work(0);
  await until(() => held.length === 1);
  for (let number = 0; number < 10; number += 1) await shop.post({ ...event, id: `evt_${number}` }, number);
  // It is asked about already.
  await shop.work(1);
  expect(held).toHaveLength(1);
  release();
  const questions = shop.countQuestions();
  await first;
  expect(questions()).toBe(1);
  expect(await states()).toEqual(Array<string>(11).fill('done'));
});

it('an event that cannot be applied keeps no other one waiting, and is tried less and less often', async () => {
  const [poisoned, other] = [await paid(), await paid()];
  shop.disconnect(poisoned.order.sessionId);
  await shop.deliver(poisoned.event);
  await shop.deliver(other.event);
  expect(await shop.order(other.order)).toMatchObject({ state: 'granted' });
  const attempts = async (): Promise<number | undefined> =>
    (await shop.inbox()).find(({ subjectId }) => subjectId === poisoned.order.sessionId)?.attempts;
  for (const [earlier, dueMs] of [5_000, 35_000, 155_000, 455_000].entries()) {
    await shop.at(dueMs - 1);
    await shop.work(earlier);
    expect(await attempts()).toBe(1 + earlier);
    await shop.at(dueMs);
    await shop.work(earlier);
    expect(await attempts()).toBe(2 + earlier);
  }
  shop.reconnect();
  await shop.at(30 * minute);
  await shop.work();
  expect(await shop.order(poisoned.order)).toMatchObject({ state: 'granted' });
});

it('nothing is lost while Stripe is away for a day, and everything is applied soon after it is back', async () => {
  const all = [await paid(), await paid(), await paid()];
  shop.disconnect();
  for (const { event } of all) await shop.deliver(event);
  for (const [replica, hours] of [12, 24].entries()) {
    await shop.at(hours * 60 * minute);
    await shop.work(replica);
  }
  expect(await states()).toEqual(['waiting', 'waiting', 'waiting']);
  shop.reconnect();
  await shop.at(day + 10 * minute);
  await Promise.all([shop.work(0), shop.work(1)]);
  for (const { order } of all) expect(await shop.order(order)).toMatchObject({ state: 'granted' });
});

it('an event is given up after three days, which is counted and not forgotten for 30 days', async () => {
  const { order, event } = await paid();
  shop.disconnect();
  await shop.deliver(event);
  await shop.at(3 * day);
  await shop.work();
  const [given] = await shop.inbox();
  expect(given).toMatchObject({
    state: 'given_up',
    problem: 'The payment provider cannot be reached; try again shortly.',
    nextAttemptAt: null,
  });
  expect((await metricsText()).text).toMatch(/payment_events_total\{outcome="given_up"\} 1$/m);
  shop.reconnect();
  await shop.reconcile();
  expect(await shop.order(order)).toMatchObject({ state: 'granted' });
  await shop.at(32 * day);
  expect(await oldRowsStep(shop.replica(0), 'old payment events').run(10)).toBe(0);
  await shop.at(33 * day);
  expect(await oldRowsStep(shop.replica(0), 'old payment events').run(10)).toBeGreaterThan(0);
  expect(await states()).not.toContain('given_up');
});

it('what another replica is claiming at this moment is left to it', async () => {
  const [one, other] = [await paid(), await paid()];
  await shop.post(one.event);
  await shop.post(other.event);
  const events = shop.replica(0).get(PaymentEventsRepository);
  await new TransactionRunner(shop.ledger.owner).run(async ({ query }) => {
    const sql = 'SELECT id FROM payment_events WHERE subject_id = $1 FOR UPDATE';
    await query('lock', sql, [one.order.sessionId]);
    expect(await events.claim(8)).toMatchObject([{ subject: { id: other.order.sessionId } }]);
  });
  expect(await events.claim(8)).toMatchObject([{ subject: { id: one.order.sessionId } }]);
});

it('what a replica had claimed when it died is asked by another one once its lease has ended', async () => {
  const { order, event } = await paid();
  await shop.post(event);
  expect(await shop.replica(0).get(PaymentEventsRepository).claim(8)).toHaveLength(1);
  await shop.at(leaseMs - 1);
  await shop.work(1);
  expect(await shop.order(order)).toMatchObject({ state: 'open' });
  await shop.at(leaseMs);
  await shop.work(1);
  expect(await shop.order(order)).toMatchObject({ state: 'granted' });
});

it('a replica that was only slow neither undoes nor delays what another one has begun', async () => {
  const { event } = await paid();
  await shop.post(event);
  const [slow, other] = [0, 1].map((number) => shop.replica(number).get(PaymentEventsRepository));
  const [late] = (await slow?.claim(8)) ?? [];
  await shop.at(leaseMs);
  const [claim] = (await other?.claim(8)) ?? [];
  if (!late || !claim) throw new Error('there is nothing to do');
  await slow?.fail(late, 'late');
  await slow?.release(late);
  expect(await shop.inbox()).toMatchObject([{ attemptUntil: claim.leaseEnd, problem: null, attempts: 2 }]);
  await other?.end(claim, 'done');
  await slow?.fail(late, 'late');
  expect(await shop.inbox()).toMatchObject([{ state: 'done', problem: null }]);
});

it('a worker begins at once with what its replica has stored, and gives back on closing what takes too long', async () => {
  const worker = shop.replica(0).get(EventWorker);
  worker.onApplicationBootstrap();
  const [quick, slow] = [await paid(), await paid()];
  await shop.post(quick.event);
  await until(async () => (await shop.order(quick.order)).state === 'granted');
  const { held, release } = shop.hold(slow.order.sessionId);
  await shop.post(slow.event);
  await until(() => held.length === 1);
  await worker.beforeApplicationShutdown();
  expect((await states()).sort()).toEqual(['done', 'waiting']);
  expect((await shop.inbox()).map(({ attemptUntil }) => attemptUntil)).toEqual([null, null]);
  shop.reconnect();
  await shop.work(1);
  expect(await shop.order(slow.order)).toMatchObject({ state: 'granted' });
  release();
  await worker.idle();
});

it('events that were given up are tried again at the word of an operator, for three days more', async () => {
  const { order, event } = await paid();
  shop.disconnect();
  await shop.post(event);
  await shop.at(4 * day);
  await shop.work();
  expect(await states()).toEqual(['given_up']);
  const retry = (replica: number): Promise<{ retried: number }> =>
    shop.replica(replica).get(PaymentEventsService).retry();
  expect((await Promise.all([retry(0), retry(1)])).map(({ retried }) => retried).sort()).toEqual([0, 1]);
  await shop.work();
  expect(await states()).toEqual(['waiting']);
  shop.reconnect();
  await shop.at(6 * day);
  await shop.work();
  expect(await states()).toEqual(['done']);
  expect(await shop.order(order)).toMatchObject({ state: 'granted' });
  expect(await retry(0)).toEqual({ retried: 0 });
});

it('the age of the oldest event that waits is a metric', async () => {
  const { event } = await paid();
  const read = async (): Promise<string[]> =>
    [
      ...(await metricsText()).text.matchAll(
        /^creator_search_payment_event(?:s_waiting|_oldest_age_seconds) .*$/gm,
      ),
    ].map(([line]) => line.replace('creator_search_', ''));
  shop.replica(0).get(OrderGauges).onModuleInit();
  await shop.post(event);
  await shop.at(90_000);
  expect(await read()).toEqual(['payment_events_waiting 1', 'payment_event_oldest_age_seconds 90']);
  await shop.work();
  expect(await read()).toEqual(['payment_events_waiting 0', 'payment_event_oldest_age_seconds 0']);
});
