import { createHash, randomUUID } from 'node:crypto';
import { migrate, postgresOptions } from '@app/platform';
import { Client } from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';

export interface TestDatabaseOptions {
  /** The service that owns the database. */
  readonly name: 'billing' | 'catalog';
  /** The service's migrations, oldest first. */
  readonly migrations: readonly (new () => MigrationInterface)[];
}

export interface TestDatabase {
  readonly url: string;
  /** Ends every session of the database and removes it. */
  drop(): Promise<void>;
}

/**
 * A migrated, empty database of its own. The migrations run once per server, into a template; every call clones that. The
 * server is the one of TEST_POSTGRES_URL, which the set-up of the `int` tests provides.
 */
export async function createTestDatabase(options: TestDatabaseOptions): Promise<TestDatabase> {
  const serverUrl = process.env.TEST_POSTGRES_URL;
  if (!serverUrl) {
    throw new Error('TEST_POSTGRES_URL is not set: run this as an *.int-spec.ts of `npm test`.');
  }
  const template = templateName(options);
  const database = `test_${options.name}_${randomUUID().replaceAll('-', '')}`;
  await withClient(serverUrl, async (client) => {
    await prepareTemplate(client, serverUrl, template, options);
    await client.query(`CREATE DATABASE ${database} TEMPLATE ${template}`);
  });
  return {
    url: databaseUrl(serverUrl, database),
    drop: () =>
      withClient(serverUrl, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
      }),
  };
}

/** A change of a migration, not only of their list, makes another template. */
function templateName({ name, migrations }: TestDatabaseOptions): string {
  const source = migrations.map((migration) => `${migration.name}\n${String(migration)}`).join('\n');
  return `template_${name}_${createHash('sha256').update(source).digest('hex').slice(0, 16)}`;
}

/** Suites start at the same moment: the first migrates, the others wait for it. */
async function prepareTemplate(
  client: Client,
  serverUrl: string,
  template: string,
  options: TestDatabaseOptions,
): Promise<void> {
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [template]);
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (rowCount === 1) return;
    const unfinished = `${template}_unfinished`;
    await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${unfinished}`);
    await migrateDatabase(databaseUrl(serverUrl, unfinished), options);
    await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
  } finally {
    await client.query('SELECT pg_advisory_unlock(hashtext($1))', [template]);
  }
}

async function migrateDatabase(url: string, { name, migrations }: TestDatabaseOptions): Promise<void> {
  const dataSource = new DataSource(
    postgresOptions({
      url,
      applicationName: `${name}-template`,
      poolSize: 2,
      entities: [],
      migrations: [...migrations],
    }),
  );
  await dataSource.initialize();
  try {
    await migrate(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

function databaseUrl(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.toString();
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
