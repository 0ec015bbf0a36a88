import { ledgerRuns, numbersFrom } from '@app/testing';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { setTimeout as delay } from 'node:timers/promises';
import { openShop, type Shop } from '../shop.fixture.js';
import { anyHappening, anyPack, anyReadable, ordersMax } from './happenings.fixture.js';
import { anyHearing } from './hearings.fixture.js';
import { type Bought, Player, type Step } from './history-player.fixture.js';
import { Tally } from './tally.fixture.js';

const { runs, seed } = ledgerRuns(8);
const quarterMs = 91 * 24 * 3_600_000;
const delayMaxMs = 4;
/** Each with a database, a clock and a Stripe of its own. */
const shopsMax = 4;

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('happening' as const), happening: anyHappening }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('hear' as const),
      hearings: fc.array(anyHearing, { minLength: 1, maxLength: 6 }),
      meanwhile: fc.array(anyHappening, { maxLength: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('spend' as const),
      credits: fc.constantFrom(1, 20, 50, 499, 2_500),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('end call' as const),
      outcome: fc.constantFrom('posted' as const, 'voided' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('hours' as const),
      hours: fc.constantFrom(1, 1, 25, 29 * 24, 30 * 24),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'sweep' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('readable' as const), what: anyReadable }) },
);
const bought: fc.Arbitrary<Bought> = fc.record({
  pack: anyPack,
  isMispriced: fc.nat(7).map((one) => one === 0),
  failure: fc.record({
    kind: fc.constantFrom('500' as const, 'break' as const),
    when: fc.constantFrom('before' as const, 'after' as const),
    times: fc.constantFrom(0, 0, 0, 1, 2, 3),
  }),
});
const history = fc.record({
  bought: fc.array(bought, { minLength: 1, maxLength: ordersMax }),
  steps: fc.array(step, { minLength: 5, maxLength: 20, size: 'max' }),
});

/** Plays histories in a shop, one after the other; answers of Stripe take a while, so that they overtake each other. */
async function play({ shop, number, count, tally }: Round): Promise<void> {
  const random = numbersFrom(seed + number);
  shop.standIn.intercept(async (_call, run) => {
    await delay(random(delayMaxMs));
    const reply = await run();
    await delay(random(delayMaxMs));
    return reply;
  });
  let startAt = Date.UTC(2025, 0, 1);
  const property = fc.asyncProperty(history, async ({ bought, steps }) => {
    const player = new Player(shop, startAt);
    await player.begin(bought);
    for (const one of steps) await player.take(one);
    await player.end(tally);
    startAt = player.now + quarterMs;
  });
  await fc.assert(property, { numRuns: count, seed: seed + number });
}

interface Round {
  readonly shop: Shop;
  readonly number: number;
  readonly count: number;
  readonly tally: Tally;
}

it('what is paid is granted once, and what goes back is taken, in any order of events and whoever races them', async () => {
  Logger.overrideLogger(false);
  const tally = new Tally();
  const shops = Math.min(shopsMax, runs);
  const rounds = Array.from({ length: shops }, async (_, number) => {
    const open = await openShop();
    const count = Math.floor((runs + number) / shops);
    return play({ shop: open.shop, number, count, tally }).finally(() => open.close());
  });
  await Promise.all(rounds);
  process.stdout.write(`orders on PostgreSQL: ${tally.toString()}; LEDGER_SEED=${seed}\n`);
  expect([tally.lost, tally.doubled]).toEqual([0, 0]);
}, 7_200_000);
