import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createAccount, refreshOrder, startOrder, takePaymentEvent } from '#contracts';
import { startStripeStandIn, type StripeStandIn } from '#stripe-stand-in';
import Stripe from 'stripe';
import { v7 as uuidv7 } from 'uuid';
import { context, runBilling, type RunningBilling } from '../running-billing.fixture.js';

const secret = 'whsec_test';
/** How long Stripe takes for an answer. */
const answerMs = 100;
const eventsAtOnce = 8;
const reloadsAtOnce = 24;

let standIn: StripeStandIn;
let billing: RunningBilling;
beforeAll(async () => {
  standIn = await startStripeStandIn();
  billing = await runBilling({
    STRIPE_SECRET_KEY: standIn.secretKey,
    STRIPE_WEBHOOK_SECRET: secret,
    STRIPE_API_URL: standIn.url,
    STRIPE_CHECKOUT_URL: standIn.url,
  });
});
afterAll(async () => {
  await billing.close();
  await standIn.stop();
});

async function newOrder(): Promise<{ account_id: string; order_id: string; sessionId: string }> {
  const account_id = randomUUID();
  const account = {
    account_id,
    name: 'One',
    email: `${account_id}@acme.example`,
    idempotency_key: randomUUID(),
  };
  await billing.client.request(createAccount, account, context);
  const order_id = uuidv7();
  const pages = { person_id: randomUUID(), pages_url: 'https://site.example/account' };
  await billing.client.request(startOrder, { account_id, order_id, pack: 'trial', ...pages }, context);
  const session = [...standIn.records.sessions.values()].find((one) => one.client_reference_id === order_id);
  return { account_id, order_id, sessionId: session?.id ?? '' };
}

function deliver(event: object): Promise<unknown> {
  const body = JSON.stringify(event);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret });
  return billing.client.request(takePaymentEvent, { body, signature }, context);
}

it("an unpaid order's page that is reloaded all the time keeps no purchase and no event of others from Stripe", async () => {
  const own = await newOrder();
  const paid = await newOrder();
  standIn.payments.pay(paid.sessionId, 'card');
  const completed = [...standIn.records.events.values()].find(
    ({ type }) => type === 'checkout.session.completed',
  );
  let asked = 0;
  standIn.intercept(async ({ path }, run) => {
    if (path.endsWith(own.sessionId)) asked += 1;
    await delay(answerMs);
    return run();
  });
  const begun = performance.now();
  let isOver = false;
  let reloads = 0;
  const reload = async (): Promise<void> => {
    while (!isOver) {
      const { account_id, order_id } = own;
      await billing.client.request(refreshOrder, { account_id, order_id }, context);
      reloads += 1;
    }
  };
  const reloading = Array.from({ length: reloadsAtOnce }, reload);
  const left = Array.from({ length: 60 }, () => completed ?? {});
  const telling = Array.from({ length: eventsAtOnce }, async () => {
    for (let event = left.pop(); event; event = left.pop()) await deliver(event);
  });
  await Promise.all([...telling, ...Array.from({ length: 6 }, newOrder)]);
  isOver = true;
  await Promise.all(reloading);
  expect(reloads).toBeGreaterThan(50);
  expect(asked).toBeLessThanOrEqual(1 + (performance.now() - begun) / 10_000);
});
