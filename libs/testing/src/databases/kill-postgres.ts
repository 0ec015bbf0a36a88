import { type PostgresServer } from '@app/local-stack';
import { eventually } from '../waiting/eventually.js';
import { runSql } from './run-sql.js';

const restartMs = 20_000;

/** Kills PostgreSQL. What is committed is written out first: a server for tests does not do that by itself. */
export async function killPostgres(server: PostgresServer): Promise<void> {
  await runSql(server.url(), 'CHECKPOINT');
  server.kill('SIGKILL');
  await server.exited;
}

/** Starts one again that was killed, whose processes may take a moment to end. */
export function restartPostgres(server: PostgresServer): Promise<void> {
  return eventually(() => server.restart(), restartMs);
}
