import { mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { metricsText } from '#platform';
import { TransactionRunner } from '#platform/database';
import { DataSource } from 'typeorm';
import { billingArchiveOptions } from '../database/data-source.js';
import { type Customer, type LedgerFixture, openLedger } from '../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../ledger/rules/ledger-options.js';
import { ExpiredLotsStep } from '../ledger/lots/expired-lots.step.js';
import { AuditService } from '../reports/audit/audit.service.js';
import { StatementsService } from '../reports/statements/statements.service.js';
import { type ArchiveFacts } from './ledger-archive.js';
import { archiveMonths } from './archive-months.js';

const onlineMonths = 2;
const months = 6;

let directory: string;
let ledger: LedgerFixture;
let job: DataSource;
let customer: Customer;
/** The end of the first partition, where months begin. */
let start: Date;

const after = (month: number, day = 1, hour = 0): Date =>
  new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + month, day, hour));

/** Purchases and calls in each month, at whose end one is charged that is returned in the next, and lots that expire in the next. */
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'archives-'));
  ledger = await openLedger({ archiveDirectory: directory, onlineMonths });
  const { url } = ledger.owner.options as { readonly url: string };
  job = await new DataSource(billingArchiveOptions(url)).initialize();
  const sql = `SELECT min(ends) AS ends FROM ledger_months('ledger_entries')`;
  const [row] = await ledger.query<{ ends: Date }>(sql);
  start = row?.ends ?? new Date(NaN);
  await moveTo(after(0, 2));
  customer = await ledger.customer(50);
  for (let month = 0; month < months; month += 1) {
    await moveTo(after(month, 20));
    await ledger.get(ExpiredLotsStep).run(100);
    await ledger.factory.lot({ accountId: customer.accountId, credits: 20 });
    await customer.spend(ledger.replicas[0], 3);
    await ledger.factory.setClock(new Date(after(month + 1).getTime() - 5));
    const { id: voided } = await customer.charge(ledger.replicas[0], 2);
    await moveTo(after(month + 1));
    await customer.settle(ledger.replicas[0], voided, 'voided');
  }
  await ledger.get(ExpiredLotsStep).run(100);
}, 60_000);

afterEach(async () => {
  await job.destroy();
  await ledger.close();
  await rm(directory, { recursive: true });
});

async function moveTo(at: Date): Promise<void> {
  await ledger.factory.setClock(at);
  await ledger.query('SELECT add_ledger_months(), add_ledger_months()');
}

/** Runs the job; `killedAt`: it dies before the `nth` statement of this name. */
function archive(killedAt?: { readonly name: string; readonly nth: number }): Promise<ArchiveFacts[]> {
  const database = new TransactionRunner(job);
  let seen = 0;
  const { query } = database;
  const killed: typeof query = (...statement) =>
    statement[0] === killedAt?.name && (seen += 1) === killedAt.nth
      ? Promise.reject(new Error('killed'))
      : query(...statement);
  return archiveMonths(Object.assign(database, { query: killed }), {
    archiveDirectory: directory,
    onlineMonths,
  });
}

const audit = () => ledger.get(AuditService).audit();
const partitions = async (parent: string): Promise<Date[]> => {
  const rows = await ledger.query<{ ends: Date }>('SELECT ends FROM ledger_months($1) ORDER BY ends', [
    parent,
  ]);
  return rows.map(({ ends }) => ends);
};
/** Everything that is archived, as files and in the database. */
const content = async () => ({
  files: (await readdir(directory)).sort(),
  records: await ledger.query('SELECT name, parent, ends, rows FROM ledger_archives ORDER BY name'),
  entries: await partitions('ledger_entries'),
  charges: await partitions('charges_ended'),
});

it('closed months become files; what stays is audited, and statements say since when they are whole', async () => {
  const { accountId: account_id } = customer;
  const statement = () => ledger.get(StatementsService).list({ account_id, limit: 100 });
  const before = await statement();
  expect(before.online_since).toBeNull();
  const written = await archive();
  const since = after(months - onlineMonths);
  expect((await partitions('ledger_entries'))[0]).toEqual(after(months - onlineMonths + 1));
  expect((await partitions('charges_ended'))[0]).toEqual(since);
  expect(written).toHaveLength(months - onlineMonths + 1 + months - onlineMonths);
  const { items, online_since } = await statement();
  expect(online_since).toBe(since.toISOString());
  expect(items).toEqual(before.items.filter(({ at }) => at >= since.toISOString()));
  expect(await audit()).toMatchObject({ ok: true, entries: items.length });
  expect(await archive()).toEqual([]);
});

it.each([
  ['count rows', 1],
  ['record archive', 1],
  ['drop partition', 7],
])('a job that is killed before "%s" number %i is finished by the next one', async (name, nth) => {
  await expect(archive({ name, nth })).rejects.toThrow('killed');
  expect(await audit()).toMatchObject({ ok: true });
  await archive();
  const finished = await content();
  expect(finished.files).toHaveLength(finished.records.length);
  expect(finished.entries[0]).toEqual(after(months - onlineMonths + 1));
  expect(finished.charges[0]).toEqual(after(months - onlineMonths));
  expect(await audit()).toMatchObject({ ok: true });
});

it('a month is not archived while lots of its time have credits, nor dropped with rows that its file has not', async () => {
  const asReplica = (sql: string) =>
    ledger.owner.query(`SET session_replication_role = replica; ${sql}; RESET session_replication_role`);
  await asReplica('UPDATE lots SET remaining = remaining + 1');
  await expect(archive()).rejects.toThrow(/was not archived: \d of its lots have credits/);
  // Before the first month there is nothing.
  expect(await content()).toMatchObject({
    files: [expect.stringContaining('_before_')],
    records: [{ rows: '0' }],
  });
  await asReplica('UPDATE lots SET remaining = remaining - 1');
  await expect(archive({ name: 'drop partition', nth: 1 })).rejects.toThrow('killed');
  await asReplica(`DELETE FROM ledger_entries WHERE id = (SELECT min(id) FROM ledger_entries)`);
  const before = await content();
  await expect(archive()).rejects.toThrow(/was not dropped: it has \d+ rows, but its archive has \d+/);
  expect(await content()).toEqual(before);
});

it('the audit finds an archive that was changed or is missing, and a lot of archived entries with credits', async () => {
  const [{ name } = { name: '' }] = await archive();
  const path = join(directory, `${name}.csv.gz`);
  await writeFile(path, 'x', { flag: 'a' });
  const expected = expect.stringContaining(name) as string;
  expect((await audit()).discrepancies).toContainEqual(
    expect.objectContaining({ kind: 'archive_differs', expected }),
  );
  await truncate(path, 20);
  expect((await audit()).discrepancies).toMatchObject([{ kind: 'archive_differs', expected }]);
  await rm(path);
  expect((await audit()).discrepancies).toMatchObject([
    { kind: 'archive_differs', expected, found: expect.stringContaining('ENOENT') as string },
  ]);
  const elsewhere = await ledger.anotherReplica({ options: defaultLedgerOptions });
  expect(await elsewhere.get(AuditService).audit()).toMatchObject({ ok: true });
  await ledger.owner.query(`SET session_replication_role = replica;
    UPDATE lots SET remaining = 1 WHERE id = (SELECT id FROM lots ORDER BY created_at LIMIT 1); RESET session_replication_role`);
  expect((await elsewhere.get(AuditService).audit()).discrepancies).toMatchObject([
    { kind: 'lot_remaining_differs', found: '1 credits' },
  ]);
});

it('billing measures for how long the oldest month has been due, where months are archived', async () => {
  const delay = async (): Promise<number> => {
    const { text } = await metricsText();
    return Number(/^creator_search_ledger_archiving_delay_seconds (.*)$/m.exec(text)?.[1]);
  };
  expect(await delay()).toBe((after(months).getTime() - after(onlineMonths).getTime()) / 1_000);
  await archive();
  expect(await delay()).toBe(0);
});
