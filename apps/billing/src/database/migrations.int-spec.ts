import { migrate } from '#platform/database';
import { BillingFactory, createTestDatabase, entitySchema, type TestDatabase } from '#testing';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { entities } from '../entities.js';
import { billingMigrationOptions } from './data-source.js';
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
