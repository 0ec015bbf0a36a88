import { pathToFileURL } from 'node:url';
import pg from 'pg';

/** One private PostgreSQL for all runs of a workspace. */
export async function startTestServer(workspace) {
  const { loadTesting } = await import(pathToFileURL(workspace.path('test/setup/load-testing.mjs')).href);
  const { startPostgres } = await loadTesting('servers/postgres.js', ['servers']);
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
