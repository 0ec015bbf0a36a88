import { Client } from 'pg';
import { run, tail } from '../processes/run.js';
import { serviceFile } from '../stack/service-replica.js';
import { type PostgresServer } from './postgres.js';

const connectTimeoutMs = 5_000;

/** Runs `work` on a separate connection. When connecting fails, the error names the database, without its password. */
export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  try {
    await client.connect().catch((cause: unknown) => {
      const { host, pathname } = new URL(url);
      throw new Error(`The database ${pathname.slice(1)} on ${host} can't be used.`, { cause });
    });
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export type DatabaseName = 'catalog' | 'billing';
export const databaseNames: readonly DatabaseName[] = ['catalog', 'billing'];

export type DatabaseUrls = Readonly<Record<DatabaseName, string>>;

/** Creates a database and a role for each service where missing; no role can connect to the other's database. */
export async function createServiceDatabases(server: PostgresServer): Promise<DatabaseUrls> {
  await withClient(server.url(), async (client) => {
    for (const name of databaseNames) {
      const role = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [name]);
      if (role.rowCount === 0) await client.query(`CREATE ROLE ${name} LOGIN`);
      const database = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
      if (database.rowCount === 0) await client.query(`CREATE DATABASE ${name} OWNER ${name}`);
      await client.query(`REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`);
    }
  });
  const url = (name: DatabaseName): string => `postgres://${name}@127.0.0.1:${server.port}/${name}`;
  return { catalog: url('catalog'), billing: url('billing') };
}

/** Whether no migration has ever been applied to the database. */
export async function isNewDatabase(url: string): Promise<boolean> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ found: string | null }>(
      `SELECT to_regclass('migrations') AS found`,
    );
    return rows[0]?.found === null;
  });
}

/** Runs the migration job of a service as deployed: as a separate program. */
export async function migrateDatabase(
  name: DatabaseName,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { code, output } = await run(process.execPath, [serviceFile(name, 'migrate.js')], {
    env: environment,
  });
  if (code !== 0) throw new Error(`The migration of the ${name} database failed:\n${tail(output)}`);
}
