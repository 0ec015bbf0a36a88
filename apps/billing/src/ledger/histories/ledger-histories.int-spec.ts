import { ledgerRuns } from '@app/testing';
import fc from 'fast-check';
import { AuditService } from '../../reports/audit/audit.service.js';
import { DatabaseLedger } from './database-ledger.fixture.js';
import { histories, pendingTimeoutMs, playHistory, Tally } from './histories.fixture.js';
import { expectPaidOnce } from './paid-once.fixture.js';
import { openLedger, type LedgerFixture } from '../ledger.fixture.js';
import { defaultLedgerOptions } from '../rules/ledger-options.js';

const yearMs = 365 * 24 * 60 * 60 * 1_000;
const { runs, seed } = ledgerRuns(10);

describe.each([
  ['500 overdue charges', defaultLedgerOptions.overdueMax],
  ['one overdue charge', 1],
])('the ledger on PostgreSQL that voids %s in a transaction', (_, overdueMax) => {
  const options = { ...defaultLedgerOptions, pendingTimeoutMs, overdueMax };
  let ledger: LedgerFixture;

  beforeAll(async () => {
    ledger = await openLedger(options);
  });

  afterAll(() => ledger.close());

  it('agrees with a naive model on random histories, and its audit finds nothing', async () => {
    const tally = new Tally();
    let startAt = Date.UTC(2025, 0, 1);
    const property = fc.asyncProperty(histories(30), async (history) => {
      startAt += yearMs;
      await playHistory(await DatabaseLedger.open(ledger), history, startAt, tally);
    });
    await fc.assert(property, { numRuns: runs, seed });
    expect((await ledger.get(AuditService).audit()).discrepancies).toEqual([]);
    await expectPaidOnce(ledger.query);
    process.stdout.write(
      `ledger on PostgreSQL, ${overdueMax} overdue: ${runs} histories; ${tally.toString()}; LEDGER_SEED=${seed}\n`,
    );
  }, 3_600_000);
});
