import { Client } from 'pg';

/** Runs statements, one after the other, over a separate connection; returns the rows of the last one. */
export async function runSql<Row extends object = Record<string, unknown>>(
  url: string,
  ...statements: readonly string[]
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) ({ rows } = await client.query<Row>(statement));
    return rows;
  } finally {
    await client.end();
  }
}
