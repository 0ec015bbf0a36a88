import { withClient } from '#dev';
import { createHash, randomUUID } from 'node:crypto';
import { grantExactly, type Grants, migrate, postgresOptions } from '#platform/database';
import { type Client, escapeLiteral } from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';

export interface TestDatabaseOptions {
  /** The service that owns the database. */
  readonly name: 'billing' | 'catalog';
  /** The service's migrations, oldest first. */
  readonly migrations: readonly (new () => MigrationInterface)[];
  /** The privileges of the service at run time. Default: none. */
  readonly grants?: Grants;
}

export interface TestDatabase {
  /** Connects as the owner of the tables, with all privileges. */
  readonly url: string;
  /** Connects as the role that the service runs as. */
  readonly runtimeUrl: string;
  /** Ends every session of the database and drops it. */
  drop(): Promise<void>;
}

/**
 * A separate, migrated, empty database. The migrations run once per server, into a template; every call clones that.
 * The server is the one of TEST_POSTGRES_URL, which the set-up of the `int` tests provides.
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
    await client.query(`CREATE DATABASE ${database} TEMPLATE ${template} STRATEGY FILE_COPY`);
  });
  return {
    url: databaseUrl(serverUrl, database),
    runtimeUrl: databaseUrl(serverUrl, database, runtimeRole(options)),
    drop: () =>
      withClient(serverUrl, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
      }),
  };
}

function runtimeRole({ name }: TestDatabaseOptions): string {
  return `test_${name}`;
}

/** The name changes with the content of a migration or a grant, not only with their list. */
function templateName({ name, migrations, grants }: TestDatabaseOptions): string {
  const source = [
    ...migrations.map((migration) => `${migration.name}\n${String(migration)}`),
    JSON.stringify(grants),
  ].join('\n');
  return `template_${name}_${createHash('sha256').update(source).digest('hex').slice(0, 16)}`;
}

/** Suites start at the same time: the first migrates, the others wait for it. */
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
    await createRole(client, serverUrl, runtimeRole(options));
    await client.query(`CREATE DATABASE ${unfinished}`);
    await migrateDatabase(databaseUrl(serverUrl, unfinished), options);
    await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
  } finally {
    await client.query('SELECT pg_advisory_unlock(hashtext($1))', [template]);
  }
}

/** With the password of the server's URL; also while another suite creates the same role for another template. */
async function createRole(client: Client, serverUrl: string, role: string): Promise<void> {
  const { password } = new URL(serverUrl);
  const login = password ? `LOGIN PASSWORD ${escapeLiteral(decodeURIComponent(password))}` : 'LOGIN';
  await client.query(`
    DO $$ BEGIN
      CREATE ROLE ${role} ${login};
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END $$`);
}

async function migrateDatabase(url: string, options: TestDatabaseOptions): Promise<void> {
  const { name, migrations, grants = {} } = options;
  const dataSource = new DataSource(
    postgresOptions({
      url,
      applicationName: `${name}-template`,
      poolSize: 2,
      migrations: [...migrations],
    }),
  );
  await dataSource.initialize();
  try {
    await migrate(dataSource);
    await grantExactly(dataSource, runtimeRole(options), grants);
  } finally {
    await dataSource.destroy();
  }
}

function databaseUrl(serverUrl: string, database: string, role?: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  if (role !== undefined) url.username = role;
  return url.toString();
}
