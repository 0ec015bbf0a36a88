import {
  createServiceDatabases,
  postgresClientsPath,
  runOrThrow,
  type ServiceName,
  type StackOptions,
  startPostgres,
} from '#dev';
import { runSql } from '../databases/run-sql.js';

const settings = {
  shared_preload_libraries: 'citus',
  max_prepared_transactions: '250',
  max_worker_processes: '32',
  'citus.node_conninfo': 'sslmode=prefer',
  // Many small searches at once: each takes few connections of every worker, and those are kept.
  'citus.max_adaptive_executor_pool_size': '2',
  'citus.max_cached_conns_per_worker': '2',
  'citus.recover_2pc_interval': '5s',
};

export type CitusLayout = Awaited<ReturnType<typeof startCitus>>;

/**
 * A catalog whose creators are distributed as docs/scaling.md says; billing is on the coordinator's server, undivided. Throws
 * where PostgreSQL lacks the extension.
 */
export async function startCitus() {
  const start = () => startPostgres({ settings });
  const coordinator = await start();
  const workers = await Promise.all([start(), start()]);
  const nodes = [coordinator, ...workers];
  const [urls] = await Promise.all(nodes.map((node) => createServiceDatabases(node)));
  if (!urls) throw new Error('no databases');
  for (const node of nodes) await runSql(node.url('catalog'), 'CREATE EXTENSION citus');
  await runSql(
    coordinator.url('catalog'),
    `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
    ...workers.map(({ port }) => `SELECT citus_add_node('127.0.0.1', ${port})`),
  );
  let distributed: Promise<void> | undefined;
  const distributeOnce = (): Promise<void> => (distributed ??= distribute(urls.catalog));
  const options: StackOptions = {
    catalogDatabaseUrl: urls.catalog,
    billingDatabaseUrl: urls.billing,
    migrationEnvironment: () => ({ SEARCH_ENGINE: 'sql' }),
    // Called after the migrations have been applied.
    environmentOf: async (service: ServiceName): Promise<Record<string, string>> => {
      if (service !== 'catalog') return {};
      await distributeOnce();
      return { SEARCH_ENGINE: 'sql' };
    },
  };
  return {
    workers,
    /** URL for the owner of the tables. */
    catalogUrl: urls.catalog,
    /** To be called after the migrations. */
    distribute: distributeOnce,
    options,
    stop: async (): Promise<void> => {
      await Promise.all(nodes.map((node) => node.stop()));
    },
  };
}

/** Whether PostgreSQL on this machine has the extension. */
export async function isCitusWithinReach(): Promise<boolean> {
  const postgres = await startPostgres();
  try {
    const sql = `SELECT FROM pg_available_extensions WHERE name = 'citus'`;
    return (await runSql(postgres.url(), sql)).length > 0;
  } finally {
    await postgres.stop();
  }
}

async function distribute(url: string): Promise<void> {
  const parameters = [
    '-v',
    'ON_ERROR_STOP=1',
    '-v',
    'shards=8',
    '-f',
    'deploy/citus/distribute-catalog.sql',
    url,
  ];
  await runOrThrow('psql', parameters, { env: { ...process.env, PATH: await postgresClientsPath() } });
}
