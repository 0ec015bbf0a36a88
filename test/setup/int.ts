import { startPostgres } from '@app/local-stack';
import { buildProjects } from '../../tools/building/build-projects.js';
import { type Stop } from './stop.js';

/**
 * One private PostgreSQL per run, in TEST_POSTGRES_URL; a URL that is given from outside is used instead. Replicas that tests
 * of the transport kill are built with the benchmarks; a gateway that is told to stop is a process too.
 */
export default async function setUp(): Promise<Stop | undefined> {
  await buildProjects({ names: ['bench', 'gateway'] });
  if (process.env.TEST_POSTGRES_URL) return undefined;
  const postgres = await startPostgres();
  process.env.TEST_POSTGRES_URL = postgres.url();
  return async () => {
    delete process.env.TEST_POSTGRES_URL;
    await postgres.stop();
  };
}
