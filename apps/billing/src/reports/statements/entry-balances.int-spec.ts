import { entryTypes } from '#contracts';
import { ledgerRuns } from '#testing';
import fc from 'fast-check';
import { ArchivesFixture, type Step } from '../../archives/archives.fixture.js';
import { type Customer, type LedgerFixture, openLedger, times } from '../../ledger/ledger.fixture.js';
import { AuditService } from '../audit/audit.service.js';
import { storeBalances, wholeStatement } from './statement.fixture.js';

const hourMs = 3_600_000;
const start = Date.parse('2026-03-01T12:00:00.000Z');
const { runs, seed } = ledgerRuns(5);

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    afterDays: fc.constantFrom(0, 0, 1e-5, 0.01, 0.04, 0.3, 1, 12),
    customer: fc.nat(1),
    kind: fc.constantFrom('purchase', 'posted', 'posted', 'posted', 'voided', 'timed_out'),
    credits: fc.integer({ min: 1, max: 40 }),
  }),
  { minLength: 20, maxLength: 50, size: 'max' },
);
const several = fc.record({
  steps,
  limit: fc.integer({ min: 1, max: 7 }),
  forgotten: fc.integer({ min: 2, max: 5 }),
});

describe('the statement of a type', () => {
  let books: ArchivesFixture;

  beforeAll(async () => {
    books = await ArchivesFixture.open();
  });
  afterAll(() => books.close());

  it('has the balances of the whole one, whichever of them are known', async () => {
    const property = fc.asyncProperty(several, async ({ steps, limit, forgotten }) => {
      const { ledger } = books;
      await ledger.empty();
      await books.moveTo(start);
      const customers = await Promise.all(times(2, () => ledger.customer(5)));
      await books.play(start, customers, steps);
      const expectSame = async (): Promise<void> => {
        for (const { accountId } of customers) {
          const whole = await wholeStatement(ledger, { account_id: accountId, limit: 200 });
          for (const type of entryTypes) {
            const ofType = whole.filter((entry) => entry.type === type);
            expect(await wholeStatement(ledger, { account_id: accountId, limit, type })).toEqual(ofType);
          }
        }
      };
      await expectSame();
      await storeBalances(ledger);
      await expectSame();
      expect((await ledger.get(AuditService).audit()).discrepancies).toEqual([]);
      await ledger.query('DELETE FROM entry_balances WHERE entry_id % $1 = 0', [forgotten]);
      await expectSame();
    });
    await fc.assert(property, { numRuns: runs, seed });
  }, 300_000);
});

describe('the balance after an entry', () => {
  let ledger: LedgerFixture;

  beforeAll(async () => {
    ledger = await openLedger();
  });
  beforeEach(() => ledger.empty());
  afterAll(() => ledger.close());

  const known = () =>
    ledger.query(
      'SELECT account_id, created_at AS at, balance_after::integer AS credits FROM entry_balances ORDER BY at',
    );

  async function customerAt(at: number, credits: number): Promise<Customer> {
    await ledger.factory.setClock(new Date(at));
    return ledger.customer(credits);
  }

  async function balanceAt(at: number, replica: Pick<LedgerFixture, 'get'> = ledger): Promise<void> {
    await ledger.factory.setClock(new Date(at));
    await storeBalances(replica);
  }

  it('is known once the hour of the entry ended a day ago', async () => {
    const { accountId: account_id } = await customerAt(start + hourMs - 1, 7);
    await balanceAt(start + 25 * hourMs - 1);
    expect(await known()).toEqual([]);
    await balanceAt(start + 25 * hourMs);
    expect(await known()).toEqual([{ account_id, at: new Date(start + hourMs - 1), credits: 7 }]);
  });

  it('is stored once by replicas that do it at the same time', async () => {
    const { accountId: account_id } = await customerAt(start, 9);
    const others = await Promise.all([ledger.anotherReplica(), ledger.anotherReplica()]);
    await Promise.all([ledger, ...others].map((replica) => balanceAt(start + 30 * hourMs, replica)));
    expect(await known()).toEqual([{ account_id, at: new Date(start), credits: 9 }]);
  });
});
