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

  it('keep the data and the rules of a ledger when a later one is added, once, by two replicas at once', async () => {
    database = await createTestDatabase({ name: 'billing', migrations });
    const known = [...migrations, Later1900000000000];
    const jobs = await Promise.all([connect(known), connect(known)]);
    const query = (sql: string, parameters?: unknown[]) => jobs[0].query<object[]>(sql, parameters);
    const factory = new BillingFactory(query);
    const accountId = await factory.account();
    const keyId = await factory.key(accountId);
    await factory.lot({ accountId, credits: 10 });
    const content = () =>
      Promise.all(['accounts', 'lots', 'ledger_entries'].map((table) => query(`TABLE ${table}`)));
    const before = await content();
    const applied = await Promise.all(jobs.map((job) => migrate(job)));
    expect(applied.flat()).toEqual([Later1900000000000.name]);
    expect(await migrate(jobs[0])).toEqual([]);
    expect(await content()).toEqual(before);
    expect(await query('SELECT id, later FROM api_keys')).toEqual([{ id: keyId, later: null }]);
    await query(`INSERT INTO ledger_entries (account_id, lot_id, type, credits, created_at)
      SELECT account_id, id, 'expiry', -3, ledger_now() FROM lots`);
    expect(await query('SELECT remaining FROM lots')).toEqual([{ remaining: 7 }]);
    await expect(query('DELETE FROM ledger_entries')).rejects.toThrow('append-only');
  });
});

it('the tables of the entities have the columns and primary keys of the migrations', async () => {
  const { fromEntities, migrated } = await entitySchema({ name: 'billing', migrations, entities });
  expect(Object.keys(fromEntities)).toHaveLength(entities.length);
  expect(migrated).toMatchObject(fromEntities);
});
