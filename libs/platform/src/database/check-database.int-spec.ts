import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '#testing';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { checkDatabase } from './check-database.js';
import { postgresOptions } from './postgres.js';
import { migrate } from './run-migrations.js';

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

function open(url: string, migrations = [First1700000000000]): Promise<DataSource> {
  const options = { url, poolSize: 3, applicationName: 'check', entities: [], migrations };
  return new DataSource(postgresOptions(options)).initialize();
}

function hasTable(): Promise<unknown> {
  return owner.query(`SELECT to_regclass('migrations') IS NOT NULL AS found`);
}

/** Checks as a role that may only connect and, when `granted`, read the table of migrations. */
async function asReader(granted: boolean, check: (reader: DataSource) => Promise<void>): Promise<void> {
  const role = `reader_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(database.url);
  url.username = role;
  await owner.query(`REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
  await owner.query(`CREATE ROLE ${role} LOGIN`);
  if (granted) await owner.query(`GRANT SELECT ON migrations TO ${role}`);
  const reader = await open(url.toString());
  try {
    await check(reader);
  } finally {
    await reader.destroy();
    await owner.query(`DROP OWNED BY ${role}`);
    await owner.query(`DROP ROLE ${role}`);
  }
}

beforeEach(async () => {
  database = await createTestDatabase({ name: 'billing', migrations: [] });
  owner = await open(database.url);
  await owner.query('DROP TABLE migrations');
});

afterEach(async () => {
  await owner.destroy();
  await database.drop();
});

describe('the check of a database', () => {
  it('names the pending migrations on a new database and leaves it as it is', async () => {
    expect(await checkDatabase(owner)).toBe(pending);
    expect(await hasTable()).toEqual([{ found: false }]);
  });

  it('requires every migration that this code knows, and accepts those of a later version', async () => {
    await migrate(owner);
    const later = await open(database.url, [First1700000000000, Second1700000000001]);
    expect(await checkDatabase(owner)).toBeNull();
    expect(await checkDatabase(later)).toBe(pending);
    await migrate(later);
    expect(await checkDatabase(owner)).toBeNull();
    expect(await checkDatabase(later)).toBeNull();
    await later.destroy();
  });

  it('refuses a database from before the first migration, and so does the migration job', async () => {
    await migrate(owner);
    const first = await open(database.url, [Second1700000000001]);
    const sentence = 'this database was created by a version before the first release';
    expect(await checkDatabase(first)).toContain(sentence);
    await expect(migrate(first)).rejects.toThrow(sentence);
    expect(await owner.query(`SELECT to_regclass('second') AS table`)).toEqual([{ table: null }]);
    await first.destroy();
  });

  it('needs only the right to read', async () => {
    await migrate(owner);
    await asReader(true, async (reader) => expect(await checkDatabase(reader)).toBeNull());
  });

  it('does not disturb the migration job, even on a new database', async () => {
    const others = await Promise.all([1, 2, 3].map(() => open(database.url)));
    let isOver = false;
    const probes = others.map(async (other) => {
      while (!isOver) await checkDatabase(other);
    });
    const applied = await migrate(owner).finally(() => (isOver = true));
    await Promise.all(probes);
    expect(applied).toEqual(['First1700000000000']);
    await Promise.all(others.map((other) => other.destroy()));
  });
});
