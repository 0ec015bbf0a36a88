import pg from 'pg';
import { importTypeScript } from '../../tools/bootstrap/import-typescript.mjs';

/** One private PostgreSQL for all runs. */
export async function startTestServer() {
  const { startPostgres } = await importTypeScript('libs/local-stack/src/index.ts');
  const server = await startPostgres();
  return {
    url: server.url(),
    clear: () => clear(server.url()),
    stop: () => server.stop(),
  };
}

/** Removes what a run left, the templates too: the next mutant may be one of the schema. */
async function clear(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `SELECT datname FROM pg_database WHERE datname ~ '^(test|template)_'`,
    );
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}
