import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EntryType } from '#contracts';
import { ledgerRuns } from '#testing';
import fc from 'fast-check';
import { ApiKeysService } from '../accounts/keys/api-keys.service.js';
import { defaultLedgerOptions } from '../ledger/rules/ledger-options.js';
import { type Customer, type LedgerFixture, times } from '../ledger/ledger.fixture.js';
import { ExpiredLotsStep } from '../ledger/lots/expired-lots.step.js';
import { ArchivesAudit } from '../reports/audit/archives-audit.js';
import { AuditService } from '../reports/audit/audit.service.js';
import { wholeStatement } from '../reports/statements/statement.fixture.js';
import { StatementsService } from '../reports/statements/statements.service.js';
import { UsageService } from '../reports/usage/usage.service.js';
import { ArchiveGauge } from './archive-gauge.js';
import { type ArchiveStore } from './archive-store.js';
import { ArchivesFixture, dayMs, type Step } from './archives.fixture.js';

const onlineMonths = 3;
const { runs, seed } = ledgerRuns(3);

let books: ArchivesFixture;
let ledger: LedgerFixture;

const opened: ArchivesFixture[] = [];

async function close(): Promise<void> {
  for (const one of opened.splice(0)) await one.close();
}
afterEach(close);

async function open(): Promise<void> {
  await close();
  books = await ArchivesFixture.open({ onlineMonths });
  opened.push(books);
  ({ ledger } = books);
}

/** What a customer sees of all of their past. */
async function past({ accountId: account_id, keyId: key_id }: Customer, from: string, to: string) {
  const pages = (limit: number, type?: EntryType) =>
    wholeStatement(ledger, { account_id, limit, ...(type && { type }) });
  const [whole, small, purchases] = [await pages(200), await pages(3), await pages(2, 'purchase')];
  expect(small).toEqual(whole);
  const ofType = whole.filter(({ type }) => type === 'purchase');
  expect(purchases).toEqual(ofType.map((entry) => ({ ...entry, balance_after: null })));
  const { items: listed } = await ledger.get(StatementsService).list({ account_id, limit: 200 });
  const { usage } = await ledger.get(UsageService).usage({ account_id, from, to });
  const { last_used_at } = await ledger.get(ApiKeysService).show({ account_id, key_id });
  return { whole, purchases, listed, usage, last_used_at, balance: await ledger.balance(account_id) };
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    afterDays: fc.constantFrom(0, 0, 0, 0.1, 1, 5, 16),
    customer: fc.nat(2),
    kind: fc.constantFrom('purchase', 'posted', 'posted', 'posted', 'voided', 'timed_out', 'free'),
    credits: fc.integer({ min: 1, max: 40 }),
  }),
  { minLength: 20, maxLength: 60, size: 'max' },
);

it('archives of any past leave every statement, usage, last use and balance as they were', async () => {
  const property = fc.asyncProperty(steps, async (all) => {
    await open();
    const start = (await books.endOfFirst()) - 40 * dayMs;
    await books.moveTo(start);
    const customers = await Promise.all(times(3, () => ledger.customer(5)));
    const end = await books.play(start + dayMs - 10, customers, all);
    const days = [start, end].map((at) => new Date(at).toISOString().slice(0, 10)) as [string, string];
    const seen = () => Promise.all(customers.map((customer) => past(customer, ...days)));
    const before = await seen();
    // The last of these months still has lots that are not empty.
    await books.moveTo(end + 90 * dayMs);
    const written = await books.archive(onlineMonths);
    expect(written.map(({ month }) => month)).toEqual(monthsFrom(start, end + 90 * dayMs));
    await ledger.factory.setClock(new Date(end));
    expect(await seen()).toEqual(before);
    expect(await archivedPartitions()).toEqual([]);
    await expectChain();
    await books.moveTo(end + 90 * dayMs);
    await ledger.get(ExpiredLotsStep).run(100);
    expect((await ledger.get(AuditService).audit()).discrepancies).toEqual([]);
  });
  await fc.assert(property, { numRuns: runs, seed });
}, 600_000);

describe('the job', () => {
  let start: number;
  let end: number;
  let customer: Customer;

  /** A purchase and a charge in each of three months, of which two are due. */
  beforeEach(async () => {
    await open();
    start = (await books.endOfFirst()) - 20 * dayMs;
    await books.moveTo(start);
    customer = await ledger.customer(5);
    const steps = [0, 15, 25].map((afterDays): Step[] => [
      { afterDays, customer: 0, kind: 'purchase', credits: 9 },
      { afterDays: 0, customer: 0, kind: 'posted', credits: 4 },
    ]);
    end = await books.play(start, [customer], steps.flat());
    await books.moveTo(end + 90 * dayMs);
  });

  const statement = () => ledger.get(StatementsService).list({ account_id: customer.accountId, limit: 50 });
  const run = () => books.archive(onlineMonths);

  it.each<[string, keyof ArchiveStore, () => Promise<unknown>]>([
    ['before a month is recorded', 'record', () => Promise.reject(new Error('killed'))],
    ['before what is recorded is dropped', 'dropArchived', () => Promise.reject(new Error('killed'))],
  ])('that dies %s is finished by the next one', async (_when, step, dies) => {
    const before = await statement();
    const real = books.store;
    books.store = Object.assign(Object.create(real) as ArchiveStore, { [step]: dies });
    if (step === 'dropArchived') books.store.dropArchived = dieAt(2, () => real.dropArchived());
    await expect(run()).rejects.toThrow('killed');
    expect(await statement()).toEqual(before);
    books.store = real;
    await run();
    expect(await statement()).toEqual(before);
    expect(await archivedPartitions()).toEqual([]);
    await expectChain();
  });

  it('is watched by billing: for how long the oldest month has been due, where months are archived', async () => {
    const { [0]: first = '' } = monthsFrom(start, end + 90 * dayMs);
    const dueSince = new Date(`${first}-01T00:00:00Z`);
    dueSince.setUTCMonth(dueSince.getUTCMonth() + onlineMonths + 1);
    const gauge = ledger.get(ArchiveGauge);
    expect(await gauge.delay()).toBeCloseTo((end + 90 * dayMs - dueSince.getTime()) / 1_000, 0);
    await books.moveTo(dueSince.getTime() - 1_000);
    expect(await gauge.delay()).toBe(0);
    await books.moveTo(end + 90 * dayMs);
    await run();
    expect(await gauge.delay()).toBe(0);
    const elsewhere = await ledger.anotherReplica(undefined, defaultLedgerOptions);
    expect(await elsewhere.get(ArchiveGauge).delay()).toBeUndefined();
  });

  it('changes nothing where a month breaks a rule of the ledger, and says which', async () => {
    await ledger.owner
      .query(`SET session_replication_role = replica; UPDATE ledger_entries SET credits = -3 WHERE type = 'charge';
      SET session_replication_role = origin`);
    await expect(run()).rejects.toThrow(
      /was not archived: charge [0-9a-f-]+ of 4 is posted: 3 taken, 0 returned/,
    );
    expect(await books.store.recorded()).toEqual([]);
    await ledger.owner
      .query(`SET session_replication_role = replica; UPDATE ledger_entries SET credits = -4 WHERE type = 'charge';
      SET session_replication_role = origin`);
  });

  it('never drops entries that its archives do not have', async () => {
    const drop = books.store.dropArchived.bind(books.store);
    books.store.dropArchived = dieAt(2, drop);
    await expect(run()).rejects.toThrow('killed');
    await ledger.owner.query('UPDATE ledger_archives SET entries = entries + 1');
    await expect(drop()).rejects.toThrow(/has \d+ entries, but its archives have \d+: it was not dropped/);
  });

  it('leaves pages that reach an archive that is missing unavailable, and all others as they are', async () => {
    await run();
    await Promise.all((await readdir(books.directory)).map((name) => rm(join(books.directory, name))));
    await expect(statement()).rejects.toMatchObject({ code: 'unavailable' });
    const newest = await ledger.get(StatementsService).list({ account_id: customer.accountId, limit: 1 });
    expect(newest.items).toHaveLength(1);
  });

  it('waits for no call, and no call for it', async () => {
    await ledger.factory.lot({ accountId: customer.accountId, credits: 1_000 });
    const stopping = new AbortController();
    const slowest = charging(stopping.signal);
    await run();
    stopping.abort();
    expect(await slowest).toBeLessThan(2_000);
  });

  /** Charges again and again, and returns the longest time that one took, ms. */
  async function charging(signal: AbortSignal): Promise<number> {
    let longest = 0;
    while (!signal.aborted) {
      const startedAt = performance.now();
      const { reply } = await customer.charge(ledger.replica(0), 1);
      expect(reply.outcome).toBe('charged');
      longest = Math.max(longest, performance.now() - startedAt);
    }
    return longest;
  }
});

/** What fails instead of being done for the `nth` time. */
function dieAt(nth: number, work: () => Promise<void>): () => Promise<void> {
  let times = 0;
  return () => ((times += 1) === nth ? Promise.reject(new Error('killed')) : work());
}

/** The month of an instant and those after it, but for three whole ones before the present. */
function monthsFrom(start: number, now: number): string[] {
  const months: string[] = [];
  const month = new Date(`${new Date(start).toISOString().slice(0, 7)}-01T00:00:00Z`);
  const present = new Date(now);
  const first = Date.UTC(present.getUTCFullYear(), present.getUTCMonth() - onlineMonths, 1);
  while (month.getTime() < first) {
    months.push(month.toISOString().slice(0, 7));
    month.setUTCMonth(month.getUTCMonth() + 1);
  }
  return months;
}

/** Tables of months that are archived. */
async function archivedPartitions(): Promise<unknown[]> {
  const tables = await ledger.query<{ name: string; ends: string }>(`
    SELECT relname AS name, right(relname, 7) AS ends FROM pg_class
    WHERE relkind = 'r' AND relname ~ '^(charges|ledger_entries)_(before_)?[0-9]{4}_[0-9]{2}$'`);
  const [last] = (await books.store.recorded()).slice(-1);
  const archived = last?.month.replace('-', '_') ?? '';
  // Charges stay a month longer.
  return tables.filter(({ name, ends }) => (/^charges_\d/.test(name) ? ends < archived : ends <= archived));
}

/** Every archive is what is on record, and all of them together lead to what is carried on. */
async function expectChain(): Promise<void> {
  const { directory, store } = books;
  const { signal } = new AbortController();
  const archives = new ArchivesAudit({ directory, signal, onProgress: () => undefined }, 100);
  await archives.read({ recorded: await store.recorded(), carried: await store.carried() });
  expect(archives.discrepancies).toEqual([]);
}
