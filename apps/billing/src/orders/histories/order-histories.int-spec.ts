import { ledgerRuns, numbersFrom } from '#testing';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { setTimeout as delay } from 'node:timers/promises';
import { openShop, type Shop } from '../shop.fixture.js';
import { type Bought, histories, type OrderBooks, playHistory, type Step } from './history.fixture.js';
import { PostgresOrders } from './play-on-postgres.fixture.js';
import { type ShopEvent } from './shop-events.fixture.js';

const { runs, seed } = ledgerRuns(8);
const quarterMs = 91 * 24 * 3_600_000;
const delayMaxMs = 4;
/** Each with a database, a clock and a Stripe of its own. */
const shopsMax = 4;

/** Plays histories in a shop, one after the other; answers of Stripe take a while, so that they overtake each other. */
async function playAll(shop: Shop, count: number, from: number): Promise<void> {
  const random = numbersFrom(from);
  shop.standIn.intercept(async (_call, run) => {
    await delay(random(delayMaxMs));
    const reply = await run();
    await delay(random(delayMaxMs));
    return reply;
  });
  let startAt = Date.UTC(2000, 0, 1);
  const property = fc.asyncProperty(histories, async (history) => {
    const orders = new PostgresOrders(shop, startAt);
    await playHistory(orders, history);
    startAt = orders.now + quarterMs;
  });
  await fc.assert(property, { numRuns: count, seed: from });
}

it('billing grants what is paid once, and takes what goes back, in any order of events through any replica', async () => {
  Logger.overrideLogger(false);
  const shops = Math.min(shopsMax, runs);
  const rounds = Array.from({ length: shops }, async (_, number) => {
    const open = await openShop();
    const count = Math.floor((runs + number) / shops);
    await playAll(open.shop, count, seed + number).finally(() => open.close());
  });
  await Promise.all(rounds);
  process.stdout.write(`${runs} histories of orders on PostgreSQL; LEDGER_SEED=${seed}\n`);
}, 7_200_000);

/** Steps, after which the order is stored like this. */
type Part = readonly [steps: readonly Step[], expected: Partial<OrderBooks>];

/** 500 credits for $149. */
const builder: Bought = {
  pack: 'builder',
  isMispriced: false,
  failure: { kind: '500', when: 'before', times: 0 },
};
const order = 0;
const happens = (event: ShopEvent): Step => ({ kind: 'shop_event', event });
const pay = happens({ kind: 'pay', order, method: 'card', price: {} });
const refund = happens({ kind: 'refund', order, cents: 14_900 });
const failRefund = happens({ kind: 'fail_refund', order });
const dispute = happens({ kind: 'dispute', order, cents: 14_900, isInquiry: false });
const winDispute = happens({ kind: 'close_dispute', order, outcome: 'won' });
const deliver: Step = { kind: 'deliver_all' };
const spend = (credits: number): Step => ({ kind: 'spend', credits });
const voidCall: Step = { kind: 'end_call', outcome: 'voided' };
const hours = (count: number): Step => ({ kind: 'hours', hours: count });
const sweep: Step = { kind: 'sweep' };
const bought: readonly Step[] = [pay, deliver];

/** What remains in the lot, was taken back, and could not be. */
const left = (
  remaining: number,
  creditsTakenBack: number,
  creditsNotRecovered: number,
): Partial<OrderBooks> => ({
  state: 'granted',
  creditsTakenBack,
  creditsNotRecovered,
  lots: [expect.objectContaining({ remaining }) as OrderBooks['lots'][number]],
});

/** What the rules say of lots that expire and of calls that are pending, which the random histories do not compare. */
const namedHistories: readonly (readonly [name: string, parts: readonly Part[]])[] = [
  [
    'a refund of an expired lot takes nothing, and gives nothing back when it fails',
    [
      [[...bought, hours(30 * 24), sweep, refund, deliver], left(0, 0, 500)],
      [[failRefund, deliver], left(0, 0, 0)],
    ],
  ],
  [
    'credits of a pending call are taken back once it is voided',
    [
      [[...bought, spend(300), refund, deliver], left(0, 200, 300)],
      [[voidCall], left(300, 200, 300)],
      [[sweep, sweep], left(0, 500, 0)],
    ],
  ],
  [
    'credits of a call that has timed out are taken back at once',
    [[[...bought, spend(300), hours(1), refund, deliver], left(0, 500, 0)]],
  ],
  [
    'credits of a pending call stay with the buyer when they expire first',
    [
      [[...bought, hours(30 * 24 - 1), spend(300), refund, deliver], left(0, 200, 300)],
      [[hours(2), sweep], { creditsTakenBack: 200, creditsNotRecovered: 300 }],
    ],
  ],
  [
    'a dispute that is won after the lot has expired gives nothing back',
    [
      [[...bought, dispute, deliver], left(0, 500, 0)],
      [[hours(30 * 24), winDispute, deliver], { ...left(0, 500, 0), returnedCents: 0 }],
    ],
  ],
];

describe('billing', () => {
  let open: Awaited<ReturnType<typeof openShop>>;
  let startAt = Date.UTC(2000, 0, 1);

  beforeAll(async () => {
    open = await openShop();
    // From then on the list of events is read, which names orders of this hour.
    await open.shop.reconcile();
  });

  afterAll(() => open.close());

  it.each(namedHistories)('%s', async (_name, parts) => {
    startAt += quarterMs;
    const orders = new PostgresOrders(open.shop, startAt);
    await orders.begin([builder]);
    for (const [steps, expected] of parts) {
      for (const step of steps) await orders.take(step);
      expect((await orders.orders())[0]).toMatchObject(expected);
    }
    await orders.finish();
  });
});
