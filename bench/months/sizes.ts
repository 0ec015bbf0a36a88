import { type Client } from 'pg';

export interface TableSize {
  readonly table: string;
  readonly rows: number;
  readonly months: number;
  readonly 'bytes a row': number;
  readonly 'of them indexes': number;
}

const sizesSql = `
  SELECT parent AS table, sum(rows)::float8 AS rows, count(*)::integer AS months,
    round(sum(bytes) / greatest(sum(rows), 1))::float8 AS "bytes a row",
    round(sum(indexes) / greatest(sum(rows), 1))::float8 AS "of them indexes"
  FROM (
    SELECT inhparent::regclass::text AS parent, greatest(reltuples, 0)::numeric AS rows,
      pg_total_relation_size(inhrelid)::numeric AS bytes, pg_indexes_size(inhrelid)::numeric AS indexes
    FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent IN ('charges_ended'::regclass, 'ledger_entries'::regclass)
  ) AS months
  GROUP BY parent`;

/** What a charge and an entry take in the database. */
export async function sizesOf(client: Client): Promise<TableSize[]> {
  const { rows } = await client.query<TableSize>(sizesSql);
  return rows;
}
