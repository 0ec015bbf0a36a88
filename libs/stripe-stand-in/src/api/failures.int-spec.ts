import Stripe from 'stripe';
import { anOrder, control, useStandIn } from '../stand-in.fixture.js';
import { type StripeStandIn } from '../stand-in.js';
import { type FailureKind } from './failures.js';

let standIn: StripeStandIn;
let stripe: Stripe;
useStandIn((open) => ({ standIn, stripe } = open));

const create = (options: Stripe.RequestOptions = {}): Promise<Stripe.Checkout.Session> =>
  stripe.checkout.sessions.create(anOrder, options);
const sessions = (): number => standIn.records.sessions.size;

it.each([
  ['500', Stripe.errors.StripeAPIError, 500],
  ['429', Stripe.errors.StripeRateLimitError, 429],
  ['409', Stripe.errors.StripeAPIError, 409],
  ['401', Stripe.errors.StripeAuthenticationError, 401],
] as const)('a %s is answered as often as asked for, without an effect', async (failure, type, status) => {
  await control(standIn, '/failures', { failure, times: 2 });
  for (let count = 0; count < 2; count++) {
    const error: unknown = await create().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ statusCode: status });
  }
  expect(sessions()).toBe(0);
  await create();
});

it('it may be of one operation, and until it is ended', async () => {
  const { id } = await create();
  await control(standIn, '/failures', { failure: '500', operation: 'list_disputes' });
  for (let count = 0; count < 5; count++) {
    await expect(stripe.disputes.list()).rejects.toMatchObject({ statusCode: 500 });
  }
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ id });
  await control(standIn, '/failures/end');
  expect(await stripe.disputes.list()).toMatchObject({ data: [] });
});

it('a 500 may come after its work: nobody knows what it has done', async () => {
  await control(standIn, '/failures', { failure: '500', when: 'after', times: 1 });
  await expect(create({ idempotencyKey: 'order-1' })).rejects.toMatchObject({ statusCode: 500 });
  await expect(create({ idempotencyKey: 'order-1' })).rejects.toMatchObject({ statusCode: 500 });
  expect(sessions()).toBe(1);
});

it.each([
  ['before', 0],
  ['after', 1],
] as const)('the connection may break %s the work', async (when, done) => {
  // The library repeats a request once whose connection was closed.
  await control(standIn, '/failures', { failure: 'break', when, times: 2 });
  const key = { idempotencyKey: 'order-1' };
  await expect(create(key)).rejects.toBeInstanceOf(Stripe.errors.StripeConnectionError);
  expect(sessions()).toBe(done);
  await create(key);
  expect(sessions()).toBe(1);
});

it.each([
  ['before', 0],
  ['after', 1],
] as const)('there may be no answer, %s the work', async (when, done) => {
  await control(standIn, '/failures', { failure: 'time out', when, times: 1 });
  const key = { idempotencyKey: 'order-1' };
  await expect(create({ ...key, timeout: 100 })).rejects.toBeInstanceOf(Stripe.errors.StripeConnectionError);
  expect(sessions()).toBe(done);
  await create(key);
  expect(sessions()).toBe(1);
});

it('a replay is no work, so it does not use up a 500', async () => {
  const key = { idempotencyKey: 'order-1' };
  const { id } = await create(key);
  standIn.failures.add({ kind: '500', times: 1 });
  expect(await create(key)).toMatchObject({ id });
  await expect(create()).rejects.toMatchObject({ statusCode: 500 });
});

it.each([
  { failure: 'flood' },
  { failure: '500', operation: 'make_coffee' },
  { failure: '500', times: 'often' },
  { failure: '429', when: 'after' },
])('there is no failure %j', async (fields) => {
  await expect(control(standIn, '/failures', fields)).rejects.toThrow('error');
});

it('they happen in the order in which they were asked for', async () => {
  const kinds: readonly FailureKind[] = ['500', '429', '401'];
  for (const kind of kinds) standIn.failures.add({ kind, times: 1 });
  for (const kind of kinds) await expect(create()).rejects.toMatchObject({ statusCode: Number(kind) });
});
