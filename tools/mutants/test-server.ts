import { startPostgres } from '@app/local-stack';
import { Client } from 'pg';

/** One private PostgreSQL for all runs. */
export interface TestServer {
  readonly url: string;
  /** Removes what a run left, the templates too: the next mutant may be one of the schema. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

export async function startTestServer(): Promise<TestServer> {
  const server = await startPostgres();
  return { url: server.url(), clear: () => clear(server.url()), stop: () => server.stop() };
}

async function clear(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>(
      `SELECT datname FROM pg_database WHERE datname ~ '^(test|template)_'`,
    );
    for (const { datname } of rows) await client.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  } finally {
    await client.end();
  }
}
