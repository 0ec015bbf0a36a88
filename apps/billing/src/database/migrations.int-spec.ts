import { migrate } from '#platform/database';
import { BillingFactory, createTestDatabase, entitySchema, type TestDatabase } from '#testing';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { entities } from '../entities.js';
import { billingMigrationOptions } from './data-source.js';
import { grants } from './grants.js';
import { migrations } from './migrations/index.js';

class Later1900000000000 implements MigrationInterface {
  up = (runner: QueryRunner): Promise<void> => runner.query('ALTER TABLE api_keys ADD COLUMN later text');
  down = (): Promise<void> => Promise.resolve();
}

let database: TestDatabase;
const open: DataSource[] = [];

/** The database of the test as the migration job opens it. */
async function connect(known = migrations as readonly (new () => MigrationInterface)[]): Promise<DataSource> {
  const options = { ...billingMigrationOptions(database.url), migrations: [...known] };
  const dataSource = await new DataSource(options).initialize();
  open.push(dataSource);
  return dataSource;
}

describe('the migrations', () => {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((dataSource) => dataSource.destroy()));
    await database.drop();
  });

  it('create the schema in an empty database once, even when two replicas migrate at once', async () => {
    database = await createTestDatabase({ name: 'billing', migrations: [] });
    const jobs = await Promise.all([connect(), connect()]);
    const applied = await Promise.all(jobs.map((job) => migrate(job)));
    expect(applied.flat()).toEqual(migrations.map(({ name }) => name));
    expect(await jobs[0].showMigrations()).toBe(false);
  });

  it('are not applied to a database that an older version created', async () => {
    database = await createTestDatabase({ name: 'billing', migrations: [] });
    const job = await connect();
    await job.query(
      `INSERT INTO migrations (timestamp, name) VALUES (1797000021000, 'Identities1797000021000')`,
    );
    await expect(migrate(job)).rejects.toThrow('created by a version before the first release');
    expect(await job.query(`SELECT to_regclass('accounts') AS table`)).toEqual([{ table: null }]);
  });

  it('close the lots that have expired and are empty', async () => {
    database = await createTestDatabase({ name: 'billing', migrations: migrations.slice(0, 3) });
    const job = await connect();
    const query = (sql: string, parameters?: unknown[]) => job.query<object[]>(sql, parameters);
    const factory = new BillingFactory(query);
    const accountId = await factory.account();
    const purchasedAt = new Date(Date.now() - 31 * 24 * 3_600_000);
    await factory.lot({ accountId, credits: 1 });
    await factory.lot({ accountId, credits: 2, purchasedAt });
    const emptyId = await factory.lot({ accountId, credits: 3, purchasedAt });
    await query(
      `INSERT INTO ledger_entries (account_id, lot_id, type, credits, created_at)
      VALUES ($1, $2, 'expiry', -3, ledger_now())`,
      [accountId, emptyId],
    );
    await migrate(job);
    expect(await query('SELECT credits, remaining, is_open FROM lots ORDER BY credits')).toEqual([
      { credits: 1, remaining: 1, is_open: true },
      { credits: 2, remaining: 2, is_open: true },
      { credits: 3, remaining: 0, is_open: false },
    ]);
    await expect(query('UPDATE lots SET is_open = true')).rejects.toThrow('lots change only through');
  });

  it('give pending charges a partition, from which a charge moves when it ends, also by statements of before', async () => {
    const ofThen = ['charges', 'ledger_entries', 'lots'];
    const known = Object.fromEntries(Object.entries(grants).filter(([table]) => ofThen.includes(table)));
    database = await createTestDatabase({
      name: 'billing',
      migrations: migrations.slice(0, 4),
      grants: known,
    });
    const job = await connect();
    const asService = await new DataSource({ ...billingMigrationOptions(database.runtimeUrl) }).initialize();
    open.push(asService);
    const query = (sql: string, parameters?: unknown[]) => asService.query<object[]>(sql, parameters);
    const factory = new BillingFactory((sql, parameters) => job.query(sql, parameters));
    const accountId = await factory.account();
    const keyId = await factory.key(accountId);
    const lotId = await factory.lot({ accountId, credits: 10 });
    const charge = async (state: string): Promise<void> => {
      const settledAt = state === 'pending' ? 'NULL' : 'now';
      await query(
        `WITH stored AS (
           INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, credits_remaining, created_at,
             pending_until, settled_at)
           SELECT gen_random_uuid(), $1, $2, 'request', 'profile', 1, $4, 0, now, now, ${settledAt} FROM ledger_now() AS now
           RETURNING id
         )
         INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
         SELECT $1, $3, 'charge', -1, id, ledger_now() FROM stored`,
        [accountId, keyId, lotId, state],
      );
    };
    const content = () =>
      query(
        'SELECT tableoid::regclass::text AS partition, state, count(*)::integer FROM charges GROUP BY 1, 2 ORDER BY 1, 2',
      );
    for (const state of ['pending', 'pending', 'posted']) await charge(state);
    const before = await query('SELECT * FROM charges ORDER BY id');
    await migrate(job);
    expect(await query('SELECT * FROM charges ORDER BY id')).toEqual(before);
    await charge('pending');
    const pending = 'charges_pending';
    const ended = expect.stringMatching(/^charges_before_\d{4}_\d{2}$/) as string;
    expect(await content()).toEqual([
      { partition: ended, state: 'posted', count: 1 },
      { partition: pending, state: 'pending', count: 3 },
    ]);
    await query(
      `UPDATE charges SET state = 'posted', settled_at = ledger_now() WHERE id = ANY(ARRAY(SELECT id FROM charges))`,
    );
    expect(await content()).toEqual([{ partition: ended, state: 'posted', count: 4 }]);
    await expect(query('DELETE FROM charges')).rejects.toThrow('a charge that took credits is kept');
    expect(await query('SELECT remaining FROM lots')).toEqual([{ remaining: 6 }]);
  });

  it('refund a lot of before, while the version before still writes adjustments', async () => {
    database = await createTestDatabase({ name: 'billing', migrations: migrations.slice(0, 6) });
    const job = await connect();
    const query = (sql: string, parameters?: unknown[]) => job.query<object[]>(sql, parameters);
    const factory = new BillingFactory(query);
    const accountId = await factory.account();
    const lotId = await factory.lot({ accountId, credits: 10 });
    const adjust = (credits: number, columns = '', values = '') =>
      query(
        `INSERT INTO adjustments (id, account_id, credits, reason, reference, credits_remaining, created_at${columns})
         VALUES (gen_random_uuid(), $1, $2::integer, 'test', 'test ' || $2::integer, 0, ledger_now()${values})`,
        [accountId, credits],
      );
    await adjust(-1);
    await migrate(job);
    await adjust(-2);
    await query(
      `INSERT INTO lot_refunds (lot_id, account_id, reason, reference, credits_taken_back, credits_not_recovered, created_at)
       VALUES ($1, $2, 'test', 'test', 3, 7, ledger_now())`,
      [lotId, accountId],
    );
    await adjust(-3, ', refunded_lot_id', `, '${lotId}'`);
    await expect(adjust(3, ', refunded_lot_id', `, '${lotId}'`)).rejects.toThrow('violates check constraint');
    expect(await query('SELECT credits, refunded_lot_id FROM adjustments ORDER BY credits DESC')).toEqual([
      { credits: -1, refunded_lot_id: null },
      { credits: -2, refunded_lot_id: null },
      { credits: -3, refunded_lot_id: lotId },
    ]);
  });

  it('partition a ledger by month while it is charged, also after a run that was interrupted', async () => {
    const added = [
      'archived_calls',
      'audit_checkpoints',
      'audits',
      'carried_lots',
      'entry_balances',
      'entry_balances_cursor',
      'ledger_archives',
    ];
    const grantsThen = Object.fromEntries(Object.entries(grants).filter(([table]) => !added.includes(table)));
    database = await createTestDatabase({
      name: 'billing',
      migrations: migrations.slice(0, 10),
      grants: grantsThen,
    });
    const job = await connect();
    const asService = await new DataSource({ ...billingMigrationOptions(database.runtimeUrl) }).initialize();
    open.push(asService);
    const query = (sql: string, parameters?: unknown[]) => asService.query<object[]>(sql, parameters);
    const factory = new BillingFactory((sql, parameters) => job.query(sql, parameters));
    const accountId = await factory.account();
    const keyId = await factory.key(accountId);
    const lotId = await factory.lot({ accountId, credits: 100_000 });
    const charge = async (): Promise<void> => {
      await query(
        `WITH made AS (SELECT gen_random_uuid() AS id, ledger_now() AS at), stored AS (
           INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, credits_remaining, created_at,
             pending_until, settled_at)
           SELECT id, $1, $2, 'request', 'profile', 1, 'posted', 0, at, at, at FROM made
         )
         INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
         SELECT $1, $3, 'charge', -1, id, at FROM made`,
        [accountId, keyId, lotId],
      );
    };
    for (let call = 0; call < 50; call += 1) await charge();
    await job.query(
      `ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_of_first CHECK (created_at < now() + interval '1 hour')`,
    );
    await job.query('CREATE INDEX ledger_entries_by_time ON ledger_entries (created_at)');
    const before = await query('SELECT * FROM ledger_entries ORDER BY id');
    let calls = 50;
    let slowest = 0;
    let isMigrating = true;
    const caller = async (): Promise<void> => {
      while (isMigrating) {
        const startedAt = performance.now();
        await charge();
        calls += 1;
        slowest = Math.max(slowest, performance.now() - startedAt);
      }
    };
    const callers = [caller(), caller()];
    await migrate(job);
    isMigrating = false;
    await Promise.all(callers);
    await charge();
    expect(calls).toBeGreaterThan(52);
    expect(slowest).toBeLessThan(4_000);
    expect(await query(`SELECT * FROM ledger_entries ORDER BY id LIMIT ${before.length}`)).toEqual(before);
    expect(await query('SELECT credits - remaining AS spent FROM lots')).toEqual([{ spent: calls + 1 }]);
    expect(await query('SELECT count(*)::integer FROM charges')).toEqual([{ count: calls + 1 }]);
    expect(
      await query(`SELECT FROM (
        SELECT id, lag(id) OVER (ORDER BY created_at, id) AS last FROM ledger_entries) AS entries WHERE id <= last`),
    ).toEqual([]);
    const partitions = await job.query<{ name: string; mayRead: boolean }[]>(
      `SELECT relname AS name, has_table_privilege('test_billing', oid, 'SELECT') AS "mayRead" FROM pg_class
       WHERE relispartition AND relkind = 'r' AND relname ~ '[0-9]$' ORDER BY relname`,
    );
    expect(partitions.length).toBeGreaterThanOrEqual(6);
    expect(partitions.filter(({ mayRead }) => mayRead)).toEqual([]);
    const leftOver = `SELECT conname FROM pg_constraint WHERE conname LIKE '%of_first'`;
    expect(await job.query(leftOver)).toEqual([]);
  });

  it('keep the data and the rules of a ledger when a later one is added', async () => {
    database = await createTestDatabase({ name: 'billing', migrations });
    const job = await connect([...migrations, Later1900000000000]);
    const query = (sql: string, parameters?: unknown[]) => job.query<object[]>(sql, parameters);
    const factory = new BillingFactory(query);
    const accountId = await factory.account();
    const keyId = await factory.key(accountId);
    await factory.lot({ accountId, credits: 10 });
    const content = () =>
      Promise.all(['accounts', 'lots', 'ledger_entries'].map((table) => query(`TABLE ${table}`)));
    const before = await content();
    expect(await migrate(job)).toEqual([Later1900000000000.name]);
    expect(await content()).toEqual(before);
    expect(await query('SELECT id, later FROM api_keys')).toEqual([{ id: keyId, later: null }]);
    await query(`INSERT INTO ledger_entries (account_id, lot_id, type, credits, created_at)
      SELECT account_id, id, 'expiry', -3, ledger_now() FROM lots`);
    expect(await query('SELECT remaining FROM lots')).toEqual([{ remaining: 7 }]);
    await expect(query('DELETE FROM ledger_entries')).rejects.toThrow('append-only');
  });
});

it('a database created from the entities has the tables, columns and primary keys of the migrations', async () => {
  const { fromEntities, migrated } = await entitySchema({ name: 'billing', migrations, entities });
  expect(fromEntities).toEqual(migrated);
});
