import { eventually } from '#testing';
import { admin, type LedgerEntry } from './admin-api.js';

/**
 * Every entry of the accounts, once no charge is pending and each that was voided has its reversals; throws when that is
 * not so after `timeoutMs`.
 */
export async function settledLedgers(
  accountIds: readonly string[],
  timeoutMs: number,
): Promise<LedgerEntry[]> {
  let entries: LedgerEntry[] = [];
  await eventually(async () => {
    entries = (await Promise.all(accountIds.map((id) => admin.ledger(id)))).flat();
    const unsettled = unsettledCharges(entries);
    if (unsettled.length > 0) throw new Error(`not settled yet: charges ${unsettled.join(', ')}`);
  }, timeoutMs);
  return entries;
}

/**
 * A charge is void from its time-out on, its reversals are written by the next sweep, and the pages of a ledger are not
 * read at one instant: so a charge may read as voided before what it took reads as given back.
 */
function unsettledCharges(entries: readonly LedgerEntry[]): string[] {
  const voided = new Map<string, number>();
  const pending = new Set<string>();
  for (const { type, charge_id, credits, state } of entries) {
    // What comes back to a lot that has expired meanwhile expires with it.
    if (charge_id === null || type === 'expiry') continue;
    if (state === 'pending') pending.add(charge_id);
    if (state === 'voided') voided.set(charge_id, (voided.get(charge_id) ?? 0) + credits);
  }
  const notGivenBack = [...voided].filter(([, credits]) => credits !== 0).map(([id]) => id);
  return [...pending, ...notGivenBack];
}
