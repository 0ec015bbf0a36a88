import { startPostgres } from '#dev';
import { type Stop } from './stop.js';

/**
 * One private PostgreSQL per run, in TEST_POSTGRES_URL; a URL that is given from outside is used instead. The replicas that
 * tests of the transport kill are built with the benchmarks; tests of the shutdown run the gateway as a process.
 */
export default async function setUp(): Promise<Stop | undefined> {
  if (process.env.TEST_POSTGRES_URL) return undefined;
  const postgres = await startPostgres();
  process.env.TEST_POSTGRES_URL = postgres.url();
  return async () => {
    delete process.env.TEST_POSTGRES_URL;
    await postgres.stop();
  };
}
