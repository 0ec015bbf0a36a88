import { type LedgerFixture } from '../../ledger/ledger.fixture.js';

/** Rows of a table before and after: a row on one side only is added or removed. The rows have all their columns. */
export interface Change {
  readonly table: string;
  readonly before: readonly { readonly id: number | string }[];
  readonly after: readonly { readonly id: number | string }[];
}

export async function rowsOf<Row>({ query }: LedgerFixture, table: string): Promise<Row[]> {
  const rows = await query<{ row: Row }>(`SELECT to_jsonb(t) AS row FROM ${table} AS t ORDER BY id`);
  return rows.map(({ row }) => row);
}

/** Replaces rows behind the back of triggers and foreign keys. */
export async function replaceRows(
  { owner }: LedgerFixture,
  changes: readonly Change[],
  from: 'before' | 'after',
): Promise<void> {
  const to = from === 'before' ? 'after' : 'before';
  await owner.transaction(async (manager) => {
    await manager.query("SET LOCAL session_replication_role = 'replica'");
    for (const { table, [from]: gone, [to]: placed } of changes) {
      const ids = gone.map(({ id }) => String(id));
      await manager.query(`DELETE FROM ${table} WHERE id::text = ANY($1)`, [ids]);
      await manager.query(
        `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`,
        [JSON.stringify(placed)],
      );
    }
  });
}
