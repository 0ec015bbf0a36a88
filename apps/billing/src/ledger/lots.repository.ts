import { type Query } from '../database/query.js';
import { isExpired, type Lot } from './allocate.js';
import { lotOrder } from './lot-order.js';

interface LotRow {
  readonly id: string;
  readonly account_id: string;
  readonly purchased_at: Date;
  readonly expires_at: Date;
  readonly remaining: number;
}

const recentLots = `
  SELECT id, account_id, purchased_at, expires_at, remaining
  FROM lots
  WHERE account_id = ANY($1::uuid[]) AND expires_at > (SELECT ledger_now()) - interval '1 hour'
  ORDER BY ${lotOrder('lots')}`;

/**
 * The lots of the accounts by account id, oldest first, empty lots included: the unexpired ones, and those that expired
 * within the hour. For an instant that is not known yet; `unexpiredAt` leaves those that count.
 */
export async function loadRecentLots(
  query: Query,
  accountIds: Iterable<string>,
): Promise<Map<string, Lot[]>> {
  const rows = await query<LotRow>(recentLots, [[...accountIds]]);
  const lots = new Map<string, Lot[]>();
  for (const row of rows) {
    const lot = {
      id: row.id,
      purchasedAt: row.purchased_at,
      expiresAt: row.expires_at,
      remaining: row.remaining,
    };
    const ofAccount = lots.get(row.account_id);
    if (ofAccount) ofAccount.push(lot);
    else lots.set(row.account_id, [lot]);
  }
  return lots;
}

export function unexpiredAt(lots: ReadonlyMap<string, readonly Lot[]>, at: Date): Map<string, Lot[]> {
  return new Map([...lots].map(([accountId, all]) => [accountId, all.filter((lot) => !isExpired(lot, at))]));
}
