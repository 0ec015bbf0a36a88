import { mkdtempSync, rmSync } from 'node:fs';
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

/** A PostgreSQL that is removed when it stops. */
export async function startDatabaseServer(): Promise<PostgresServer> {
  const directory = mkdtempSync(join(tmpdir(), 'whole-call-'));
  guardDirectory(directory);
  const server = await startPostgres({ directory, settings });
  const stop = server.stop.bind(server);
  return Object.assign(server, {
    stop: async () => {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  });
}

/** After a load of data, so that neither statistics nor dirty pages are left to the rounds. */
export function settle(url: string): Promise<void> {
  return withClient(url, async (client) => {
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  });
}
