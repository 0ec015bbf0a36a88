import { type LockedAccounts } from '../database/locked-accounts.js';
import { sendAll } from '../database/query.js';
import { loadLedgerRows, stateAt, toStatements } from './charge.repository.js';
import { LedgerBatch } from './ledger-batch.js';

/**
 * Writes down that the overdue charges of the locked accounts are void, oldest first and at most `max` of them; returns
 * how many. After it, the sum of the unexpired lots is the balance: whoever takes credits calls it first.
 */
export async function voidOverdueCharges(locked: LockedAccounts, max?: number): Promise<number> {
  const rows = await loadLedgerRows(locked.query, {
    accountIds: [...locked.accountIds],
    chargeIds: [],
    keyIds: [],
    ...(max === undefined ? {} : { overdueMax: max }),
  });
  const batch = new LedgerBatch(stateAt(locked, rows), 0);
  const voided = batch.voidOverdue();
  const statements = toStatements(locked, batch.writes());
  await Promise.all(sendAll(locked.query, statements));
  return voided;
}
