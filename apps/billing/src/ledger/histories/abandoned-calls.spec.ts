import { ledgerRuns } from '#testing/random';
import fc from 'fast-check';
import { type Command, lifetimeMs, type Message } from './commands.fixture.js';
import { HistoryPlayer, pendingTimeoutMs } from './history.fixture.js';
import { MemoryLedger } from './play-in-memory.fixture.js';

const { runs, seed } = ledgerRuns(10);
const property = { numRuns: runs, seed };
/** More than all calls of a day cost. */
const budget = 700;
const startAt = Date.UTC(2025, 0, 1);
/** How a call ends: `void` is for a client that has left before its answer. */
const end = fc.constantFrom<Message['kind']>('post', 'post', 'void', 'abandon');
const price = fc.integer({ min: 1, max: 2 });

/** Plays the calls of a day, as the rules and their model agree on them: what they have cost. */
async function costOfDay(ends: readonly Message['kind'][], credits: number): Promise<number> {
  const ledger = new MemoryLedger(pendingTimeoutMs);
  const player = new HistoryPlayer(ledger, startAt);
  const purchase: Command = { kind: 'purchase', account: 0, credits: budget, expiresInMs: lifetimeMs };
  await player.playStep(purchase);
  const messages = ends.flatMap((kind, number): Message[] => {
    const call = { name: `call ${number}`, credits };
    return [
      { kind: 'charge', account: 0, call },
      { kind, account: 0, call },
    ];
  });
  await player.playStep({ kind: 'together', messages });
  return budget - (ledger.books()[0]?.balance ?? 0);
}

it('an account that leaves every answer pays for all but its allowance', async () => {
  const leaver = fc.asyncProperty(fc.integer({ min: 1, max: 320 }), price, async (calls, credits) => {
    const cost = await costOfDay(Array<'abandon'>(calls).fill('abandon'), credits);
    // Five, and one more once a hundred, two hundred ... are paid.
    const paid = Math.max(0, calls - 5 - Math.floor(Math.max(0, calls - 5) / 101));
    expect(cost).toBe(paid * credits);
  });
  await fc.assert(leaver, property);
}, 60_000);

it('an account that loses its connection now and then pays nothing for what it did not get', async () => {
  const honest = fc
    .array(fc.record({ end, sameAgain: fc.integer({ min: 0, max: 40 }) }), { maxLength: 12 })
    .map((parts) =>
      parts.flatMap(({ end: kind, sameAgain }) => [...Array<'post'>(sameAgain).fill('post'), kind]),
    )
    .map(withFewAbandoned);
  await fc.assert(
    fc.asyncProperty(honest, price, async (ends, credits) => {
      const cost = await costOfDay(ends, credits);
      expect(cost).toBe(credits * ends.filter((kind) => kind === 'post').length);
    }),
    property,
  );
}, 60_000);

/** Without the calls beyond five and one for each hundred before. */
function withFewAbandoned(ends: readonly Message['kind'][]): Message['kind'][] {
  let [paid, left] = [0, 0];
  return ends.filter((kind) => {
    if (kind === 'post') paid += 1;
    if (kind === 'abandon' && left < 5 + Math.floor(paid / 100)) return (left += 1) > 0;
    return kind !== 'abandon';
  });
}
