import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardDirectory, type PostgresServer, startPostgres, withClient } from '@app/local-stack';

/** As for a dedicated server; no checkpoint falls into one side's round. Commits are durable. */
const settings = {
  shared_buffers: '1GB',
  effective_cache_size: '3GB',
  random_page_cost: '1.1',
  max_wal_size: '16GB',
  checkpoint_timeout: '1h',
};

interface DatabaseServerOptions {
  /** Where it is kept. Default: a temporary directory that is removed when it stops. */
  readonly directory?: string | undefined;
  /** Besides, or in place of, those for a dedicated server. */
  readonly settings?: Readonly<Record<string, string>>;
}

export async function startDatabaseServer({
  directory: kept,
  settings: own,
}: DatabaseServerOptions = {}): Promise<PostgresServer> {
  const directory = kept ?? mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  if (kept === undefined) guardDirectory(directory);
  else mkdirSync(directory, { recursive: true });
  const server = await startPostgres({ directory, settings: { ...settings, ...own } });
  const stop = server.stop.bind(server);
  return Object.assign(server, {
    stop: async () => {
      await stop();
      if (kept === undefined) rmSync(directory, { recursive: true, force: true });
    },
  });
}

const changedTables = `
  SELECT relid::regclass::text AS name FROM pg_stat_user_tables JOIN pg_class ON pg_class.oid = relid
  WHERE relkind = 'r' AND (n_mod_since_analyze > 0 OR n_ins_since_vacuum > 0 OR n_dead_tup > 0 OR last_vacuum IS NULL)`;

/**
 * After a load of data, so that neither statistics nor dirty pages are left to the rounds: of tables that have changed since. Like
 * autovacuum, it gathers none for partitioned tables as such.
 */
export function settle(url: string): Promise<void> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(changedTables);
    for (const { name } of rows) await client.query(`VACUUM ANALYZE ${name}`);
    await client.query('CHECKPOINT');
  });
}
