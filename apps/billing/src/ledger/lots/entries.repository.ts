import { counter } from '#platform';
import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { type NewEntry } from '../rules/ledger-batch.js';

const written = counter('ledger_credits_total', 'Absolute credits of the ledger entries written.', ['type']);

const insertSql = `
  INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, adjustment_id, created_at)
  SELECT account_id, lot_id, type, credits, charge_id, adjustment_id, $7
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[], $5::uuid[], $6::uuid[])
    AS entry (account_id, lot_id, type, credits, charge_id, adjustment_id)`;

/** Counts entries that were committed. */
export function countWritten(entries: readonly Pick<NewEntry, 'type' | 'credits'>[]): void {
  for (const { type, credits } of entries) written.inc({ type }, Math.abs(credits));
}

/** The entries of the ledger. Hand-written: one statement for any number of entries, which stays prepared. */
@Injectable()
export class EntriesRepository {
  /** Appends entries; the schema adds them to their lots and refuses a change that would take a lot out of its bounds. */
  async insert({ query, now, onCommit }: LockedAccounts, entries: readonly NewEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await query('insert ledger entries', insertSql, [
      entries.map((entry) => entry.accountId),
      entries.map((entry) => entry.lotId),
      entries.map((entry) => entry.type),
      entries.map((entry) => entry.credits),
      entries.map((entry) => entry.chargeId ?? null),
      entries.map((entry) => entry.adjustmentId ?? null),
      now,
    ]);
    onCommit(() => countWritten(entries));
  }
}
