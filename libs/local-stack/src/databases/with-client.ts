import { Client } from 'pg';

const connectTimeoutMs = 5_000;

/** Runs `work` on a separate connection. When connecting fails, the error names the database, without its password. */
export async function withClient<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  try {
    await client.connect().catch((cause: unknown) => {
      const { host, pathname } = new URL(url);
      throw new Error(`The database ${pathname.slice(1)} on ${host} can't be used.`, { cause });
    });
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
