import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EntryType, type StatementEntry } from '@app/contracts';
import { TransactionRunner } from '@app/platform/database';
import { ledgerRuns } from '@app/testing';
import fc from 'fast-check';
import { DataSource } from 'typeorm';
import { ApiKeysService } from '../accounts/keys/api-keys.service.js';
import { billingArchiveOptions } from '../database/data-source.js';
import { type Customer, type LedgerFixture, openLedger, times } from '../ledger/ledger.fixture.js';
import { ExpiredLotsStep } from '../ledger/lots/expired-lots.step.js';
import { OverdueChargesStep } from '../ledger/charges/overdue-charges.step.js';
import { AuditService } from '../reports/audit/audit.service.js';
import { StatementsService } from '../reports/statements/statements.service.js';
import { UsageService } from '../reports/usage/usage.service.js';
import { differences, readArchive } from './archive-chain.js';
import { archiveMonths } from './archive-months.js';
import { ArchiveStore } from './archive-store.js';

const dayMs = 24 * 3_600_000;
const onlineMonths = 3;
const { runs, seed } = ledgerRuns(3);

let directory: string;
let ledger: LedgerFixture;
let job: DataSource;
let store: ArchiveStore;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'archives-'));
});
beforeEach(async () => {
  ledger = await openLedger({ archiveDirectory: directory });
  const { url } = ledger.owner.options as { readonly url: string };
  job = await new DataSource(billingArchiveOptions(url)).initialize();
  store = new ArchiveStore(new TransactionRunner(job));
});
afterEach(async () => {
  await job.destroy();
  await ledger.close();
  await Promise.all((await readdir(directory)).map((name) => rm(join(directory, name))));
});
afterAll(() => rm(directory, { recursive: true }));

/** What a customer sees of all of their past. */
async function past({ accountId: account_id, keyId: key_id }: Customer, from: string, to: string) {
  const pages = async (limit: number, type?: EntryType): Promise<StatementEntry[]> => {
    const entries: StatementEntry[] = [];
    let cursor: string | undefined;
    do {
      const page = await ledger
        .get(StatementsService)
        .listWithBalances({ account_id, limit, ...(cursor && { cursor }), ...(type && { type }) });
      entries.push(...page.items);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return entries;
  };
  const [whole, small, purchases] = [await pages(200), await pages(3), await pages(2, 'purchase')];
  expect(small).toEqual(whole);
  const { items: listed } = await ledger.get(StatementsService).list({ account_id, limit: 200 });
  const { usage } = await ledger.get(UsageService).usage({ account_id, from, to });
  const { last_used_at } = await ledger.get(ApiKeysService).show({ account_id, key_id });
  return { whole, purchases, listed, usage, last_used_at, balance: await ledger.balance(account_id) };
}

interface Step {
  readonly afterDays: number;
  readonly customer: number;
  readonly kind: 'purchase' | 'posted' | 'voided' | 'timed_out' | 'free';
  readonly credits: number;
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

/** Plays the steps from the 20th of January on and returns the last instant. */
async function play(customers: readonly Customer[], all: readonly Step[]): Promise<number> {
  let now = Date.UTC(2026, 0, 20, 23, 59, 59, 990);
  for (const { afterDays, customer: number, kind, credits } of all) {
    now += afterDays * dayMs;
    await ledger.factory.setClock(new Date(now));
    const customer = customers[number];
    if (!customer) throw new Error(`no customer ${number}`);
    await ledger.get(ExpiredLotsStep).run(100);
    if (kind === 'purchase') {
      await ledger.factory.lot({ accountId: customer.accountId, credits });
      continue;
    }
    const { id } = await customer.charge(ledger.replica(number), kind === 'free' ? 0 : credits);
    if (kind === 'timed_out') now += 30_000;
    await ledger.factory.setClock(new Date(now));
    if (kind === 'posted' || kind === 'voided') await customer.settle(ledger.replica(number), id, kind);
    await ledger.get(OverdueChargesStep).run(100);
  }
  return now;
}

it('archives of any past leave every statement, usage, last use and balance as they were', async () => {
  const property = fc.asyncProperty(steps, async (all) => {
    await ledger.empty();
    await Promise.all((await readdir(directory)).map((name) => rm(join(directory, name))));
    await ledger.factory.setClock(new Date('2026-01-02T00:00:00Z'));
    const customers = await Promise.all(times(3, () => ledger.customer(5)));
    const end = await play(customers, all);
    const seen = () => Promise.all(customers.map((customer) => past(customer, '2026-01-01', '2026-12-31')));
    const before = await seen();
    // The last of these months still has lots that are not empty.
    await ledger.factory.setClock(new Date(end + 90 * dayMs));
    const months = (await archiveMonths(store, { directory, onlineMonths })).map(({ month }) => month);
    expect(months[0]).toBe('2026-01');
    await ledger.factory.setClock(new Date(end));
    expect(await seen()).toEqual(before);
    expect((await ledger.get(AuditService).audit()).discrepancies).toEqual([]);
    await expectChain();
  });
  await fc.assert(property, { numRuns: runs, seed });
}, 600_000);

/** Every archive is what is on record, and all of them together lead to what is carried on. */
async function expectChain(): Promise<void> {
  let [carried, previous] = [new Map() as Awaited<ReturnType<ArchiveStore['carried']>>, ''];
  for (const recorded of await store.recorded()) {
    const found = await readArchive(directory, recorded, carried);
    expect([...found.problems, ...differences(recorded, found.facts, previous)]).toEqual([]);
    ({ carried } = found);
    previous = recorded.chainHash;
  }
  expect(carried).toEqual(await store.carried());
}
