import { type TestQuery } from '../../ledger/ledger.fixture.js';

/** Drops the unique indexes of entries, which each month has: they refuse what the audit has to find. */
export async function dropUniqueIndexes(query: TestQuery): Promise<void> {
  const indexes = await query<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index JOIN pg_inherits ON inhrelid = indrelid
     WHERE inhparent = 'ledger_entries'::regclass AND indisunique AND NOT indisprimary`,
  );
  await query(`DROP INDEX ${indexes.map(({ name }) => name).join(', ')}`);
}
