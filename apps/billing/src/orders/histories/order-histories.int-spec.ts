import { ledgerRuns, numbersFrom } from '#testing';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { setTimeout as delay } from 'node:timers/promises';
import { openShop, type Shop } from '../shop.fixture.js';
import { histories, playHistory, Tally } from './history.fixture.js';
import { namedHistories, playNamed } from './named-histories.fixture.js';
import { PostgresOrders } from './play-on-postgres.fixture.js';

const { runs, seed } = ledgerRuns(8);
const quarterMs = 91 * 24 * 3_600_000;
const delayMaxMs = 4;
/** Each with a database, a clock and a Stripe of its own. */
const shopsMax = 4;

/** Plays histories in a shop, one after the other; answers of Stripe take a while, so that they overtake each other. */
async function playAll(
  shop: Shop,
  tally: Tally,
  { count, from }: { count: number; from: number },
): Promise<void> {
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
    await playHistory(orders, history, tally);
    startAt = orders.now + quarterMs;
  });
  await fc.assert(property, { numRuns: count, seed: from });
}

it('billing grants what is paid once, and takes what goes back, in any order of events through any replica', async () => {
  Logger.overrideLogger(false);
  const tally = new Tally();
  const shops = Math.min(shopsMax, runs);
  const rounds = Array.from({ length: shops }, async (_, number) => {
    const open = await openShop();
    const count = Math.floor((runs + number) / shops);
    await playAll(open.shop, tally, { count, from: seed + number }).finally(() => open.close());
  });
  await Promise.all(rounds);
  process.stdout.write(`orders on PostgreSQL: ${tally.toString()}; LEDGER_SEED=${seed}\n`);
}, 7_200_000);

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
    await playNamed(new PostgresOrders(open.shop, startAt), parts);
  });
});
