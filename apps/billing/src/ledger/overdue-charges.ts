import { type LockedAccounts } from '../database/locked-accounts.js';
import { loadLedgerState, writeLedger } from './charge.repository.js';
import { LedgerBatch } from './ledger-batch.js';

/**
 * Writes down that the overdue charges of the locked accounts are void, oldest first and at most `max` of them; returns
 * how many. After it, the sum of the unexpired lots is the balance: whoever takes credits calls it first.
 */
export async function voidOverdueCharges(locked: LockedAccounts, max?: number): Promise<number> {
  const state = await loadLedgerState(locked, {
    chargeIds: [],
    keyIds: [],
    ...(max === undefined ? {} : { overdueMax: max }),
  });
  const batch = new LedgerBatch(state, 0);
  const voided = batch.voidOverdue();
  await writeLedger(locked, batch.writes());
  return voided;
}
