import { buildProjects } from '../../tools/bootstrap/build-projects.mjs';
import { importTypeScript } from '../../tools/bootstrap/import-typescript.mjs';

/**
 * One private PostgreSQL per run, in TEST_POSTGRES_URL; a URL that is given from outside is used instead. Replicas that tests
 * of the transport kill are built with the benchmarks; a gateway that is told to stop is a process too.
 */
export default async function setup() {
  await buildProjects({ names: ['bench', 'gateway'] });
  if (process.env.TEST_POSTGRES_URL) return;
  const { startPostgres } = await importTypeScript('libs/local-stack/src/index.ts');
  const postgres = await startPostgres();
  process.env.TEST_POSTGRES_URL = postgres.url();
  globalThis.stopTestServers = async () => {
    delete process.env.TEST_POSTGRES_URL;
    await postgres.stop();
  };
}
