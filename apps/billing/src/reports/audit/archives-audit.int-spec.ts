import { cp, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type AuditReply, type DiscrepancyKind } from '#contracts';
import { type StatementName, type Transaction, TransactionRunner } from '#platform/database';
import { ledgerRuns, numbersFrom, until } from '#testing';
import { chainHashOf } from '../../archives/archive-chain.js';
import { writeArchive } from '../../archives/archive-files.js';
import { headerLine } from '../../archives/archived-entry.js';
import { ArchivesFixture, dayMs, type Step } from '../../archives/archives.fixture.js';
import { type Customer } from '../../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../../ledger/rules/ledger-options.js';
import { pickFrom } from './books.fixture.js';
import { type AuditRun, LedgerAudit } from './ledger-audit.js';

const months = 9;
const { runs, seed } = ledgerRuns(2);
const random = numbersFrom(seed);

let books: ArchivesFixture;
/** How many entries the ledger has, archived or not. */
let entries: number;

/** Calls of every kind in many months; at the end of each one is charged that is returned in the next. */
async function keepBooks(): Promise<void> {
  books = await ArchivesFixture.open();
  const { ledger } = books;
  const first = new Date(await books.endOfFirst());
  await books.moveTo(first.setUTCMonth(first.getUTCMonth() - 1));
  const customers: Customer[] = [await ledger.customer(500), await ledger.customer(500)];
  for (let month = 0; month < months; month += 1) {
    const ends = new Date(first).setUTCMonth(first.getUTCMonth() + 1);
    const steps = (['purchase', 'posted', 'voided', 'posted'] as const).flatMap((kind): Step[] =>
      [0, 1].map((customer) => ({ afterDays: 3, customer, kind, credits: 3 + random(9) })),
    );
    await books.play(first.getTime(), customers, steps);
    await books.play(ends - 15_000, customers, [
      { afterDays: 0, customer: 0, kind: 'timed_out', credits: 5 },
    ]);
    first.setTime(ends);
  }
  await books.moveTo(first.getTime() + dayMs);
  const [row] = await ledger.query<{ count: number }>('SELECT count(*)::integer FROM ledger_entries');
  entries = row?.count ?? 0;
}

beforeAll(keepBooks, 300_000);
afterAll(() => books.close());

type Given = Partial<Pick<AuditRun, 'reader' | 'signal' | 'onProgress'>>;

async function audit(
  given: Given = {},
  replica: Pick<ArchivesFixture['ledger'], 'get'> = books.ledger,
): Promise<AuditReply> {
  const reader = new TransactionRunner(books.ledger.reports);
  const run = { reader, before: null, signal: new AbortController().signal, windowMaxMs: 31 * dayMs };
  return (await replica.get(LedgerAudit).run({ ...run, ...given })).reply;
}

const allIsRight = () => expect.objectContaining({ ok: true, entries, discrepancies: [] }) as AuditReply;

interface Moment {
  readonly before: StatementName;
  /** Which of those of this name. */
  readonly nth: number;
}

/** Does something in the middle of an audit. */
class InterruptedReader extends TransactionRunner {
  private seen = 0;

  constructor(
    private readonly at: Moment,
    private readonly interrupt: () => Promise<void>,
  ) {
    super(books.ledger.reports);
  }

  override snapshot<Result>(
    read: (transaction: Transaction) => Promise<Result>,
    options: Parameters<TransactionRunner['snapshot']>[1],
  ): Promise<Result> {
    return super.snapshot((transaction) => {
      const query: Transaction['query'] = async (...statement) => {
        if (statement[0] === this.at.before && ++this.seen === this.at.nth) await this.interrupt();
        return transaction.query(...statement);
      };
      return read({ ...transaction, query });
    }, options);
  }
}

describe('a month that is archived while an audit runs', () => {
  it('is audited once, wherever the audit is then', async () => {
    expect(await audit()).toEqual(allIsRight());
    const [lots, charges] = [
      'open cursor of lot sums',
      'open cursor of suspects of charge_entries_differ',
    ] as const;
    // The fifth window is the one that has the end of the month.
    const moments: Moment[] = [
      { before: 'select archives', nth: 1 },
      { before: lots, nth: 5 },
      { before: charges, nth: 5 },
      { before: lots, nth: 1 + random(6) },
    ];
    for (const [number, at] of moments.entries()) {
      const online = months - 1 - number;
      let job: Promise<unknown> = Promise.resolve();
      const reader = new InterruptedReader(at, async () => {
        let isOver = false;
        job = books.archive(online).finally(() => (isOver = true));
        await until(async () => isOver || (await books.ledger.lockWaiters()) > 0, 60_000);
      });
      expect([at, await audit({ reader })]).toEqual([at, allIsRight()]);
      expect(await job).toHaveLength(1);
    }
  }, 300_000);

  it('and is there in part, because its job has died, is no discrepancy', async () => {
    const drop = books.store.dropArchived.bind(books.store);
    let times = 0;
    books.store.dropArchived = async () => (++times > 1 ? Promise.reject(new Error('killed')) : drop());
    await expect(books.archive(4)).rejects.toThrow('killed');
    books.store.dropArchived = drop;
    const { ledger } = books;
    const [partition] = await ledger.query<{ name: string }>(
      `SELECT min(inhrelid::regclass::text) AS name FROM pg_inherits WHERE inhparent = 'charges_ended'::regclass`,
    );
    await ledger.query(`ALTER TABLE charges_ended DETACH PARTITION ${partition?.name}`);
    expect(await audit()).toEqual(allIsRight());
    await books.archive(4);
    expect(await audit()).toEqual(allIsRight());
  });
});

it('is cancelled while it reads archives', async () => {
  const cancelled = new AbortController();
  await expect(audit({ signal: cancelled.signal, onProgress: () => cancelled.abort() })).rejects.toThrow(
    'abort',
  );
});

it('shows how much of the archives and of the database is read', async () => {
  const shares: number[] = [];
  await audit({ onProgress: (share) => shares.push(share) });
  expect(shares).toEqual(shares.toSorted((one, other) => one - other));
  expect(shares.filter((share) => share > 0 && share < 1).length).toBeGreaterThan(5);
  expect(shares.at(-1)).toBe(1);
});

it('says what to set where archives are on record, but no directory', async () => {
  const replica = await books.ledger.anotherReplica(undefined, defaultLedgerOptions);
  expect((await audit({}, replica)).discrepancies).toMatchObject([
    { kind: 'archive_differs', account_id: null, found: 'LEDGER_ARCHIVE_DIRECTORY is not set' },
  ]);
});

describe('of an archive that was changed', () => {
  const pathOf = (month: string, what = 'csv') => join(books.directory, `ledger-${month}.${what}.gz`);
  const query = (sql: string) =>
    books.ledger.owner.query(
      `SET session_replication_role = replica; ${sql}; RESET session_replication_role`,
    );
  let kept: string;

  beforeAll(async () => {
    kept = await mkdtemp(join(tmpdir(), 'archives-kept-'));
    await cp(books.directory, kept, { recursive: true });
    await query(
      'CREATE TABLE kept_archives AS TABLE ledger_archives; CREATE TABLE kept_lots AS TABLE carried_lots',
    );
  });
  afterAll(() => rm(kept, { recursive: true }));

  afterEach(restore);

  async function restore(): Promise<void> {
    await Promise.all((await readdir(books.directory)).map((name) => rm(join(books.directory, name))));
    await cp(kept, books.directory, { recursive: true });
    await query(`DELETE FROM ledger_archives; INSERT INTO ledger_archives TABLE kept_archives;
      DELETE FROM carried_lots; INSERT INTO carried_lots TABLE kept_lots`);
    expect(await audit()).toEqual(allIsRight());
  }

  /** Rewrites an archive with other lines, and its index. */
  async function rewrite(month: string, change: (lines: string[]) => string[]) {
    const text = gunzipSync(await readFile(pathOf(month))).toString();
    const lines = text.slice(headerLine.length).split('\n').slice(0, -1);
    const changed = change(lines).map((line) => `${line}\n`);
    const chunks = async function* () {
      yield await Promise.resolve(Buffer.from(changed.join('')));
    };
    return writeArchive(books.directory, month, chunks());
  }

  const changeLine = (change: (line: string) => string[]) => (month: string) =>
    rewrite(month, (lines) => {
      const at = random(lines.length);
      return lines.flatMap((line, number) => (number === at ? change(line) : [line]));
    });
  const addTo = (column: number, by: number) => (line: string) => {
    const values = line.split(',');
    values[column] = String(Number(values[column]) + by);
    return values.join(',');
  };

  async function swap(one: string, other: string): Promise<void> {
    for (const what of ['csv', 'index']) {
      await rename(pathOf(one, what), pathOf('swapped', what));
      await rename(pathOf(other, what), pathOf(one, what));
      await rename(pathOf('swapped', what), pathOf(other, what));
    }
  }

  async function cut(path: string): Promise<void> {
    await truncate(path, random((await readFile(path)).length));
  }

  async function flip(path: string): Promise<void> {
    const bytes = await readFile(path);
    const at = random(bytes.length);
    await writeFile(path, bytes.with(at, (bytes[at] ?? 0) ^ (1 << random(8))));
  }

  /** A customer has one credit more since the last archived month, and the file, its record and the chain say so. */
  async function forge(last: string, before: string): Promise<void> {
    const facts = await rewrite(last, (lines) => {
      const account = lines.at(-1)?.slice(0, 36) ?? '';
      const at = lines.findIndex((line) => line.startsWith(account) && line.includes(',purchase,'));
      const more = lines.map((line, number) =>
        number >= at && line.startsWith(account) ? addTo(5, 1)(line) : line,
      );
      return more.map((line, number) => (number === at ? addTo(4, 1)(line) : line));
    });
    const recorded = await books.store.recorded();
    const previous = recorded.find(({ month }) => month === before)?.chainHash ?? '';
    await query(`UPDATE ledger_archives SET bytes = ${facts.bytes}, sha256 = '${facts.sha256}',
      chain_hash = '${chainHashOf(previous, facts)}' WHERE month = '${last}-01'`);
  }

  const updateRecord = (set: string) => (month: string) =>
    query(`UPDATE ledger_archives SET ${set} WHERE month = '${month}-01'`);
  const ofFile: DiscrepancyKind = 'archive_differs';

  /** Each gets a month at random, and the one before it: for the first, the last. */
  it.each<[string, DiscrepancyKind, (month: string, other: string) => Promise<unknown>]>([
    ['a byte flipped', ofFile, (month) => flip(pathOf(month))],
    ['a byte more', ofFile, (month) => writeFile(pathOf(month), 'x', { flag: 'a' })],
    ['other credits', ofFile, changeLine((line) => [addTo(4, 1)(line)])],
    ['another balance', ofFile, changeLine((line) => [addTo(5, 1)(line)])],
    ['an entry less', ofFile, changeLine(() => [])],
    ['an entry twice', ofFile, changeLine((line) => [line, line])],
    ['the file of another month', ofFile, swap],
    ['no file', ofFile, (month) => rm(pathOf(month))],
    ['no index', ofFile, (month) => rm(pathOf(month, 'index'))],
    [
      'the index of another month',
      ofFile,
      (month, other) => cp(pathOf(other, 'index'), pathOf(month, 'index')),
    ],
    ['its end cut off', ofFile, (month) => cut(pathOf(month))],
    ['its index cut off', ofFile, (month) => cut(pathOf(month, 'index'))],
    ['a record of other entries', ofFile, updateRecord('entries = entries + 1')],
    ['a record of other bytes', ofFile, updateRecord('bytes = bytes + 1')],
    ['a record of another file', ofFile, updateRecord('sha256 = reverse(sha256)')],
    ['another hash of the chain', ofFile, updateRecord('chain_hash = reverse(chain_hash)')],
  ])('%s is found, with the month', async (_what, kind, plant) => {
    const recorded = (await books.store.recorded()).map(({ month }) => month);
    for (let run = 0; run < runs; run += 1) {
      const month = pickFrom(recorded, random);
      await plant(month, recorded.at(recorded.indexOf(month) - 1) ?? '');
      const { ok, discrepancies } = await audit();
      expect(ok).toBe(false);
      expect(discrepancies).toContainEqual(
        expect.objectContaining({ kind, expected: expect.stringContaining(month) as string }),
      );
      await restore();
    }
  });

  it.each<[string, string]>([
    [
      'a record of the first month less',
      `DELETE FROM ledger_archives WHERE month = (SELECT min(month) FROM ledger_archives)`,
    ],
    [
      'a record of the last month less',
      `DELETE FROM ledger_archives WHERE month = (SELECT max(month) FROM ledger_archives)`,
    ],
    ['no record', 'DELETE FROM ledger_archives'],
    [
      'a credit carried on more',
      'UPDATE carried_lots SET credits = credits + 1 WHERE lot_id = (SELECT min(lot_id::text)::uuid FROM carried_lots)',
    ],
    [
      'a lot carried on less',
      'DELETE FROM carried_lots WHERE lot_id = (SELECT min(lot_id::text)::uuid FROM carried_lots)',
    ],
    [
      'a lot carried on more',
      'INSERT INTO carried_lots (lot_id, account_id, credits) SELECT gen_random_uuid(), id, 1 FROM accounts LIMIT 1',
    ],
  ])('%s is found', async (_what, sql) => {
    await query(sql);
    const { discrepancies } = await audit();
    const kinds: DiscrepancyKind[] = discrepancies.map(({ kind }) => kind);
    expect(kinds).toContain(
      sql.includes('carried') || sql.includes('max') ? 'carried_lot_differs' : kinds[0],
    );
  });

  it('a month that was forged with its record and the chain is not what was carried on', async () => {
    const [before = '', last = ''] = (await books.store.recorded()).map(({ month }) => month).slice(-2);
    await forge(last, before);
    expect((await audit()).discrepancies).toMatchObject([
      {
        kind: 'carried_lot_differs',
        expected: expect.stringMatching(/^\d+ credits by the archives$/) as string,
      },
    ]);
  });

  it('the rest is audited nevertheless', async () => {
    const [first = ''] = (await books.store.recorded()).map(({ month }) => month);
    await rm(pathOf(first));
    const lot = `id = (SELECT min(id::text)::uuid FROM lots WHERE remaining > 0)`;
    await query(`UPDATE lots SET remaining = remaining - 1 WHERE ${lot}`);
    const { discrepancies } = await audit();
    await query(`UPDATE lots SET remaining = remaining + 1 WHERE ${lot}`);
    expect(discrepancies.map(({ kind }) => kind)).toEqual(['archive_differs', 'lot_remaining_differs']);
    expect(discrepancies[0]).toMatchObject({ found: expect.stringContaining('ENOENT') as string });
  });
});
