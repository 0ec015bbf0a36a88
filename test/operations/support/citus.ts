import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  createServiceDatabases,
  type DatabaseName,
  databaseNames,
  type PostgresServer,
  startPostgres,
} from '@app/local-stack';
import { runSql, type ServerLayout } from '@app/testing';

const settings = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: '100',
  max_worker_processes: '32',
  'citus.node_conninfo': 'sslmode=prefer',
};

/**
 * The layout of docs/scaling.md: each service has a schema that Citus places on one of two workers, and connects to it.
 * Null where PostgreSQL lacks the extension.
 */
export async function startCitus(): Promise<ServerLayout | null> {
  if (!(await hasCitus())) return null;
  const coordinator = await startPostgres({ settings });
  const workers = [await startPostgres({ settings }), await startPostgres({ settings })];
  const nodes = [coordinator, ...workers];
  const [urls] = await Promise.all(nodes.map((node) => createServiceDatabases(node)));
  if (!urls) throw new Error('no databases');
  for (const name of databaseNames) {
    for (const node of nodes) await runSql(node.url(name), 'CREATE EXTENSION citus');
    await runSql(
      coordinator.url(name),
      `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
      ...workers.map(({ port }) => `SELECT citus_add_node('127.0.0.1', ${port})`),
      `CREATE SCHEMA ${name} AUTHORIZATION ${name}`,
    );
  }
  for (const node of nodes) await runSql(node.url(), ...roleSettings());
  return {
    options: {
      catalogDatabaseUrl: urls.catalog,
      billingDatabaseUrl: urls.billing,
      // Called after the migrations have been applied.
      environmentOf: async (service): Promise<Record<string, string>> =>
        service === 'gateway'
          ? {}
          : {
              [`${service.toUpperCase()}_DATABASE_URL`]: await distribute(
                coordinator,
                service,
                urls[service],
              ),
            },
    },
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

function roleSettings(): string[] {
  return ['deploy/pgbouncer/role-settings.sql', 'deploy/citus/role-settings.sql'].map((file) =>
    readFileSync(resolve(file), 'utf8'),
  );
}

/** Distributes the schema of a service; returns the URL of its database on the node that then holds it. */
async function distribute(coordinator: PostgresServer, name: DatabaseName, url: string): Promise<string> {
  const [holder] = await runSql<{ port: number }>(
    coordinator.url(name),
    'SET citus.enable_unsafe_triggers = on',
    // A schema that contains an extension can't be distributed.
    ...(name === 'catalog' ? ['ALTER EXTENSION pg_trgm SET SCHEMA public'] : []),
    `SELECT citus_schema_distribute('${name}')`,
    `SELECT DISTINCT nodeport AS port FROM citus_shards WHERE table_name::text LIKE '${name}.%'`,
  );
  if (!holder) throw new Error(`the schema ${name} is on no node`);
  return url.replace(`:${coordinator.port}/`, `:${holder.port}/`);
}

async function hasCitus(): Promise<boolean> {
  const postgres = await startPostgres();
  try {
    const found = await runSql(postgres.url(), `SELECT FROM pg_available_extensions WHERE name = 'citus'`);
    return found.length > 0;
  } finally {
    await postgres.stop();
  }
}
