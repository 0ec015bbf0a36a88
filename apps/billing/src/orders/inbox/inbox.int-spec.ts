import { metricsText } from '#platform';
import { until } from '#testing';
import Stripe from 'stripe';
import { type Started, useShop, webhookSecret } from '../shop.fixture.js';
import { PaymentEventsService } from './payment-events.service.js';
import { leaseMs, PaymentEventsRepository } from './payment-events.repository.js';

const shop = useShop();
const minute = 60_000;
const granted = { state: 'granted' };
const open = { state: 'open' };
const completed = { id: 'evt_1', object: 'event', type: 'checkout.session.completed' };

beforeEach(() => shop.at(0));

/** An order that was paid, and its event. */
async function paid(): Promise<{ order: Started; event: object }> {
  const order = await shop.paid();
  const event = shop.events.findLast(({ type }) => type === 'checkout.session.completed');
  if (!event) throw new Error('there is no event');
  return { order, event };
}

const states = async (): Promise<string[]> => (await shop.inbox()).map(({ state }) => state);

describe('an event', () => {
  const handle = (body: string, signature: string) =>
    shop.replica(0).get(PaymentEventsService).handleEvent({ body, signature });

  it('is refused unless Stripe has signed it, and when what it has signed is none', async () => {
    const body = JSON.stringify((await paid()).event);
    const at = Math.floor(Date.now() / 1_000);
    for (const signature of ['', 'nonsense', `t=${at},v1=${'0'.repeat(64)}`]) {
      await expect(handle(body, signature)).rejects.toThrow('The signature does not belong to this body.');
    }
    for (const payload of ['{', '{"id":"evt_1"}']) {
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret });
      await expect(handle(payload, signature)).rejects.toThrow('The signature is right');
    }
    expect(await shop.inbox()).toEqual([]);
  });

  it('need not be true: what counts is what Stripe says then', async () => {
    const order = await shop.started();
    const object = { ...shop.standIn.records.session(order.sessionId), payment_status: 'paid' };
    await shop.deliver({ ...completed, data: { object } });
    expect(await shop.order(order)).toMatchObject(open);
  });

  it('about what our key cannot see is ignored, however often Stripe sends it', async () => {
    const unseen = { ...completed, data: { object: { id: 'cs_test_unseen' } } };
    for (const replica of [0, 1]) await shop.deliver(unseen, replica);
    expect(await shop.inbox()).toMatchObject([{ id: 'evt_1', state: 'ignored', attempts: 1 }]);
  });

  it('about an order of ours that Stripe does not know is tried again', async () => {
    const { order, event } = await paid();
    const session = shop.standIn.records.session(order.sessionId);
    shop.standIn.records.sessions.delete(order.sessionId);
    await shop.deliver(event);
    const problem = 'Stripe does not know the payment of this order of ours.';
    expect(await shop.inbox()).toMatchObject([{ state: 'waiting', problem }]);
    shop.standIn.records.sessions.set(order.sessionId, session);
    await shop.at(5_000);
    await shop.work();
    expect(await shop.order(order)).toMatchObject(granted);
  });

  it('that comes while Stripe is asked about its payment is answered by one more question, with all others', async () => {
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

  it('that cannot be applied keeps no other one waiting, and is tried less and less often', async () => {
    const [poisoned, other] = [await paid(), await paid()];
    shop.disconnect(poisoned.order.sessionId);
    await shop.deliver(poisoned.event);
    await shop.deliver(other.event);
    expect(await shop.order(other.order)).toMatchObject(granted);
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
    expect(await shop.order(poisoned.order)).toMatchObject(granted);
  });
});

describe('the events of a replica', () => {
  const repository = (replica: number) => shop.replica(replica).get(PaymentEventsRepository);

  it('are taken by another one when its lease has ended, which it then neither undoes nor delays', async () => {
    await shop.post((await paid()).event);
    const [late] = await repository(0).claim(8);
    await shop.at(leaseMs - 1);
    expect(await repository(1).claim(8)).toEqual([]);
    await shop.at(leaseMs);
    const [claim] = await repository(1).claim(8);
    if (!late || !claim) throw new Error('there is nothing to do');
    await repository(0).fail(late, 'late');
    expect(await shop.inbox()).toMatchObject([{ attemptUntil: claim.leaseEnd, problem: null, attempts: 2 }]);
    await repository(1).end(claim, 'done');
    await repository(0).fail(late, 'late');
    expect(await shop.inbox()).toMatchObject([{ state: 'done', problem: null }]);
  });

  it('are worked on at once', async () => {
    const events = shop.replica(0).get(PaymentEventsService);
    events.onApplicationBootstrap();
    const { order, event } = await paid();
    await shop.post(event);
    await until(async () => (await shop.order(order)).state === 'granted');
    await events.beforeApplicationShutdown();
  });
});

it('how many events wait, and for how long, are metrics', async () => {
  const lines = /^creator_search_payment_event(?:s_waiting|_oldest_age_seconds) .*$/gm;
  const read = async () => [...(await metricsText()).text.matchAll(lines)].map(([line]) => line.slice(15));
  await shop.post((await paid()).event);
  await shop.at(90_000);
  expect(await read()).toEqual(['payment_events_waiting 1', 'payment_event_oldest_age_seconds 90']);
  await shop.work();
  expect(await read()).toEqual(['payment_events_waiting 0', 'payment_event_oldest_age_seconds 0']);
});
