import { type PostgresServer } from '#dev';
import { eventually } from '../waiting.js';
import { runSql } from './run-sql.js';

const restartMs = 20_000;

/** Kills PostgreSQL. Flushes what is committed first, which a server for tests does not do by itself. */
export async function killPostgres(server: PostgresServer): Promise<void> {
  await runSql(server.url(), 'CHECKPOINT');
  server.kill('SIGKILL');
  await server.exited;
}

/** Restarts a killed server, whose processes may take a moment to end. */
export function restartPostgres(server: PostgresServer): Promise<void> {
  return eventually(() => server.restart(), restartMs);
}
