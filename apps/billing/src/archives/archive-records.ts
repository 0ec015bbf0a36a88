import { type Queryable } from '#platform/database';
import { type ArchiveFacts } from './archive-files.js';

/** What the lots had at the end of a month, without those that were empty. */
export type LotsByAccount = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** An archive as it is on record. */
export interface RecordedArchive extends ArchiveFacts {
  readonly chainHash: string;
}

const recordedSql = `
  SELECT to_char(month, 'YYYY-MM') AS month, entries::float8 AS entries, bytes::float8 AS bytes, sha256, chain_hash AS "chainHash"
  FROM ledger_archives ORDER BY ledger_archives.month`;

/** Oldest first. */
export function recordedArchives({ query }: Queryable): Promise<RecordedArchive[]> {
  return query<RecordedArchive>('select archives', recordedSql);
}

/** What the lots had at the end of the last archived month. */
export async function carriedLots({ query }: Queryable): Promise<LotsByAccount> {
  const rows = await query<{ account_id: string; lot_id: string; credits: number }>(
    'select carried lots',
    'SELECT account_id, lot_id, credits FROM carried_lots',
  );
  const lots = new Map<string, Map<string, number>>();
  for (const { account_id, lot_id, credits } of rows) {
    const ofAccount = lots.get(account_id) ?? new Map<string, number>();
    lots.set(account_id, ofAccount.set(lot_id, credits));
  }
  return lots;
}
