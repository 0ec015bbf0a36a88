import { ledgerRuns } from '#testing';
import fc from 'fast-check';
import { histories, playHistory, Tally } from './history.fixture.js';
import { namedHistories, playNamed } from './named-histories.fixture.js';
import { MemoryOrders } from './play-in-memory.fixture.js';

const { runs, seed } = ledgerRuns(400);

it('the rules grant what is paid once, and take what goes back, in any order of events and questions', async () => {
  const tally = new Tally();
  const all = histories(80, { shopEvent: 10, deliver: 4, proceed: 30, lose: 1 });
  const property = fc.asyncProperty(all, (history) => playHistory(new MemoryOrders(), history, tally));
  await fc.assert(property, { numRuns: runs, seed });
  process.stdout.write(`orders in memory: ${tally.toString()}; LEDGER_SEED=${seed}\n`);
}, 3_600_000);

it.each(namedHistories)('the rules: %s', (_name, parts) => playNamed(new MemoryOrders(), parts));
