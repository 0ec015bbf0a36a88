import { createTestDatabase, type TestDatabase } from '#testing';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { checkDatabase, checkWrites, refuseOtherDatabase } from './check-database.js';
import { type PostgresOptions, postgresOptions } from './postgres.js';
import { migrate } from './run-migrations.js';
import { TransactionRunner } from './transaction-runner.js';

class First1700000000000 implements MigrationInterface {
  up = (runner: QueryRunner): Promise<void> => runner.query('CREATE TABLE first ()');
  down = (): Promise<void> => Promise.resolve();
}

class Second1700000000001 implements MigrationInterface {
  up = (runner: QueryRunner): Promise<void> => runner.query('CREATE TABLE second ()');
  down = (): Promise<void> => Promise.resolve();
}

const pending = 'migrations are pending: run the migration job';

let database: TestDatabase;
let owner: DataSource;

function open(changes: Partial<PostgresOptions> = {}): Promise<DataSource> {
  const options = {
    url: database.url,
    poolSize: 3,
    applicationName: 'check',
    migrations: [First1700000000000],
  };
  return new DataSource(postgresOptions({ ...options, ...changes })).initialize();
}

beforeEach(async () => {
  database = await createTestDatabase({ name: 'billing', migrations: [] });
  owner = await open();
  await owner.query('DROP TABLE migrations');
});

afterEach(async () => {
  await owner.destroy();
  await database.drop();
});

describe('the check of a database', () => {
  it('requires every migration that this code knows, accepts those of a later version, and changes nothing', async () => {
    expect(await checkDatabase(owner)).toBe(pending);
    expect(await owner.query(`SELECT to_regclass('migrations') AS found`)).toEqual([{ found: null }]);
    await migrate(owner);
    const later = await open({ migrations: [First1700000000000, Second1700000000001] });
    expect(await checkDatabase(owner)).toBeNull();
    expect(await checkDatabase(later)).toBe(pending);
    await migrate(later);
    expect(await checkDatabase(owner)).toBeNull();
    expect(await checkDatabase(later)).toBeNull();
    await later.destroy();
  });

  it('ends the start of a service that was given the database of another one', async () => {
    await owner.query('CREATE TABLE creators ()');
    await expect(refuseOtherDatabase(owner)).resolves.toBeUndefined();
    await owner.destroy();
    owner = await open({ applicationName: 'billing-migration' });
    await expect(refuseOtherDatabase(owner)).rejects.toThrow(
      / is the database of catalog, not of billing: correct BILLING_DATABASE_URL/,
    );
  });

  it("says when the database takes no writes: it only reads, or a file on its disk can't grow", async () => {
    const ask = (): Promise<string | null> => checkWrites(new TransactionRunner(owner))();
    expect(await ask()).toBeNull();
    await owner.destroy();
    owner = await open({ sessionSettings: { default_transaction_read_only: 'on' } });
    expect(await ask()).toBe('read-only');
    await owner.destroy();
    owner = await open({ sessionSettings: { temp_file_limit: '0' } });
    await expect(ask()).rejects.toThrow('temporary file size exceeds');
  });

  it('sees at once that the database takes writes again', async () => {
    const ask = checkWrites(new TransactionRunner(owner));
    await owner.query('SET default_transaction_read_only = on');
    expect(await ask()).toBe('read-only');
    await owner.query('SET default_transaction_read_only = off');
    expect(await ask()).toBeNull();
  });
});
