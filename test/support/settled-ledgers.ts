import { admin, type LedgerEntry } from './admin-api.js';
import { eventually } from './eventually.js';

/** Every entry of the accounts, once no charge is pending any more; raises when some still are after `timeoutMs`. */
export async function settledLedgers(
  accountIds: readonly string[],
  timeoutMs: number,
): Promise<LedgerEntry[]> {
  let entries: LedgerEntry[] = [];
  await eventually(async () => {
    entries = (await Promise.all(accountIds.map((id) => admin.ledger(id)))).flat();
    const pending = entries.filter(({ state }) => state === 'pending').length;
    if (pending > 0) throw new Error(`${pending} entries of charges that are still pending`);
  }, timeoutMs);
  return entries;
}
