import { hash } from 'node:crypto';
import { type CreatorRecord } from '@app/contracts';
import { withClient } from '@app/local-stack';
import { type Client } from 'pg';
import { rowOf } from './creator-row.js';
import { searchIndexes, tables } from './schema.js';

interface Content {
  readonly records: Iterable<CreatorRecord>;
  readonly siteUrl: string;
  /** The keys of each account. */
  readonly accounts: readonly (readonly string[])[];
  /** Of each account. */
  readonly credits: number;
}

const rowsAtOnce = 1_000;

/** Fills an empty database of the monolith. */
export function fillDatabase(url: string, { records, siteUrl, accounts, credits }: Content): Promise<void> {
  return withClient(url, async (client) => {
    await client.query(tables);
    let rows: object[] = [];
    for (const record of records) {
      rows.push(rowOf(record, siteUrl));
      if (rows.length < rowsAtOnce) continue;
      await addCreators(client, rows);
      rows = [];
    }
    await addCreators(client, rows);
    await client.query(searchIndexes);
    for (const keys of accounts) await addAccount(client, keys, credits);
  });
}

async function addCreators(client: Client, rows: readonly object[]): Promise<void> {
  const sql = 'INSERT INTO creators SELECT * FROM json_populate_recordset(NULL::creators, $1)';
  await client.query(sql, [JSON.stringify(rows)]);
}

async function addAccount(client: Client, keys: readonly string[], credits: number): Promise<void> {
  const hashes = keys.map((key) => hash('sha256', key));
  await client.query(
    `WITH account AS (INSERT INTO accounts (name) VALUES ('Benchmark') RETURNING id),
       lot AS (INSERT INTO lots (account_id, credits, remaining) SELECT id, $2, $2 FROM account)
     INSERT INTO api_keys (account_id, hash) SELECT id, unnest($1::text[]) FROM account`,
    [hashes, credits],
  );
}
