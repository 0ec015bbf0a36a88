import { ledgerRuns } from '#testing';
import fc from 'fast-check';
import { minuteMs } from '../../durations.js';
import { AuditService } from '../../reports/audit/audit.service.js';
import { openLedger, type LedgerFixture } from '../ledger.fixture.js';
import { defaultLedgerOptions } from '../rules/ledger-options.js';
import { callsUnderOneKey, histories, HistoryPlayer, type Step } from './history.fixture.js';
import { Tally } from './tally.fixture.js';
import { namedHistories } from './named-histories.fixture.js';
import { entriesBackInTime, PostgresLedger } from './play-on-postgres.fixture.js';

const quarterMs = 92 * 24 * 60 * minuteMs;
const { runs, seed } = ledgerRuns(6);

jest.setTimeout(3_600_000);

/** Long ago, in the first partition: later months are made one by one. */
let startAt = Date.UTC(1971, 0, 1);

/** A player of a new history, on accounts of its own, that begins when everything before is over. */
async function newPlayer(ledger: LedgerFixture, tally?: Tally): Promise<HistoryPlayer> {
  startAt += quarterMs;
  return new HistoryPlayer(await PostgresLedger.open(ledger), startAt, tally);
}

async function playAll(ledger: LedgerFixture, what: string, all: fc.Arbitrary<Step[]>): Promise<void> {
  const tally = new Tally();
  const property = fc.asyncProperty(all, async (history) => (await newPlayer(ledger, tally)).play(history));
  await fc.assert(property, { numRuns: runs, seed });
  expect((await ledger.get(AuditService).audit()).discrepancies).toEqual([]);
  process.stdout.write(`ledger, ${what}: ${runs} histories; ${tally.toString()}; LEDGER_SEED=${seed}\n`);
}

/** Runs `work` while the clock of this process shows `now`; timers and `performance` are unaffected. */
async function withProcessClock(now: () => number, work: () => Promise<void>): Promise<void> {
  const real = globalThis.Date;
  globalThis.Date = new Proxy(real, {
    construct: (target, parameters) =>
      parameters.length === 0 ? new target(now()) : (Reflect.construct(target, parameters) as Date),
    get: (target, name, receiver) =>
      name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown),
  });
  try {
    await work();
  } finally {
    globalThis.Date = real;
  }
}

describe.each([
  ['500 overdue charges', defaultLedgerOptions.overdueMax],
  ['one overdue charge', 1],
])('the ledger on PostgreSQL that voids %s in a transaction', (what, overdueMax) => {
  let ledger: LedgerFixture;

  beforeAll(async () => {
    ledger = await openLedger({ overdueMax });
    await ledger.factory.endTheCalendar();
  });

  afterAll(() => ledger.close());

  it('agrees with the model on random histories', async () => {
    await playAll(ledger, what, histories(25));
    expect(await entriesBackInTime(ledger)).toEqual([]);
  });

  it('agrees with the model when commands race each other through two replicas', async () => {
    await playAll(ledger, `${what}, races`, histories(12, { race: 60 }));
    expect(await entriesBackInTime(ledger)).toEqual([]);
  });

  it('agrees with the model when the clock of PostgreSQL is put back by 2 seconds or an hour', async () => {
    await playAll(ledger, `${what}, clock put back`, histories(25, { back: 10 }));
  });
});

describe('the ledger on PostgreSQL', () => {
  let ledger: LedgerFixture;

  beforeAll(async () => {
    ledger = await openLedger();
    await ledger.factory.endTheCalendar();
  });

  afterAll(() => ledger.close());

  it('agrees with the model on calls under one Idempotency-Key', async () => {
    await playAll(ledger, 'one Idempotency-Key', callsUnderOneKey(25));
  });

  it.each(namedHistories)('agrees with the model: %s', async (_name, steps) => {
    const player = await newPlayer(ledger);
    for (const [step, answer] of steps) expect(await player.playStep(step)).toEqual(answer ? [answer] : []);
  });

  let reading = 0;
  it.each<[string, () => number]>([
    ['5 minutes fast', () => 5 * minuteMs],
    ['5 minutes slow', () => -5 * minuteMs],
    ['jumping by 10 minutes at every reading', () => (reading++ % 2 === 0 ? 5 : -5) * minuteMs],
  ])('agrees with the model in a process whose clock is wrong: %s', async (what, skew) => {
    const now = () => startAt + skew();
    await withProcessClock(now, () => playAll(ledger, `process ${what}`, histories(20)));
  });
});
