import { type EntryType } from '@app/contracts';
import { type Query } from '../database/query.js';

/** A signed entry to be written: purchase +, charge -, reversal +, expiry -, adjustment +/-. */
export interface NewEntry {
  readonly accountId: string;
  readonly lotId: string;
  readonly type: EntryType;
  readonly credits: number;
  readonly chargeId?: string;
  readonly adjustmentId?: string;
}

/**
 * Appends entries, all in one statement; the schema adds them to their lots and refuses the lot that would leave its
 * bounds. Call it with the `query` and `now` of the accounts' lock.
 */
export async function insertEntries(query: Query, entries: readonly NewEntry[], now: Date): Promise<void> {
  if (entries.length === 0) return;
  await query(
    `INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, adjustment_id, created_at)
     SELECT account_id, lot_id, type, credits, charge_id, adjustment_id, $7
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::uuid[], $6::uuid[])
       AS entry (account_id, lot_id, type, credits, charge_id, adjustment_id)`,
    [
      entries.map((entry) => entry.accountId),
      entries.map((entry) => entry.lotId),
      entries.map((entry) => entry.type),
      entries.map((entry) => entry.credits),
      entries.map((entry) => entry.chargeId ?? null),
      entries.map((entry) => entry.adjustmentId ?? null),
      now,
    ],
  );
}
