import { ledgerRuns } from '#testing/random';
import fc from 'fast-check';
import { callsUnderOneKey, histories, HistoryPlayer, pendingTimeoutMs } from './history.fixture.js';
import { namedHistories } from './named-histories.fixture.js';
import { MemoryLedger } from './play-in-memory.fixture.js';
import { allAnswers, Tally } from './tally.fixture.js';

const startAt = Date.UTC(2025, 0, 1);
const { runs, seed } = ledgerRuns(100);

describe('the rules of the ledger', () => {
  it('agree with the model on random histories, at every instant', async () => {
    const tally = new Tally();
    const property = fc.asyncProperty(
      histories(40, { race: 2, back: 2 }),
      fc.boolean(),
      async (history, isApart) => {
        const ledger = new MemoryLedger(pendingTimeoutMs, isApart);
        await new HistoryPlayer(ledger, startAt, tally).play(history);
      },
    );
    await fc.assert(property, { numRuns: runs, seed });
    process.stdout.write(`ledger rules: ${runs} histories; ${tally.toString()}; LEDGER_SEED=${seed}\n`);
    expect(tally.seen).toEqual(allAnswers);
  }, 3_600_000);

  it('agree with the model on random calls under one Idempotency-Key: each paid one is repeated at most five times', async () => {
    const tally = new Tally();
    const property = fc.asyncProperty(callsUnderOneKey(40), fc.boolean(), async (history, isApart) => {
      const ledger = new MemoryLedger(pendingTimeoutMs, isApart);
      await new HistoryPlayer(ledger, startAt, tally).play(history);
      const [books] = ledger.books();
      const repeats = Object.values(books?.charges ?? {}).flatMap(
        (charge) => /repeats \S+/.exec(charge) ?? [],
      );
      for (const name of repeats) expect(repeats.filter((other) => other === name).length).toBeLessThan(6);
    });
    await fc.assert(property, { numRuns: runs, seed });
    expect(tally.seen).toEqual(expect.arrayContaining(['charge charged', 'charge repeated', 'void voided']));
  }, 3_600_000);

  it.each(namedHistories)('agree with the model: %s', async (_name, steps) => {
    const player = new HistoryPlayer(new MemoryLedger(pendingTimeoutMs), startAt);
    for (const [step, answer] of steps) expect(await player.playStep(step)).toEqual(answer ? [answer] : []);
  });
});
