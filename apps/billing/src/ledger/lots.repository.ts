import { type Query } from '../database/query.js';
import { type Lot } from './allocate.js';
import { lotOrder } from './lot-order.js';

interface LotRow {
  readonly id: string;
  readonly account_id: string;
  readonly purchased_at: Date;
  readonly expires_at: Date;
  readonly remaining: number;
}

const unexpiredLots = `
  SELECT id, account_id, purchased_at, expires_at, remaining
  FROM lots
  WHERE account_id = ANY($1::uuid[]) AND expires_at > $2
  ORDER BY ${lotOrder('lots')}`;

/** The unexpired lots of the accounts by account id, oldest first, empty lots included. */
export async function loadUnexpiredLots(
  query: Query,
  accountIds: Iterable<string>,
  at: Date,
): Promise<Map<string, Lot[]>> {
  const rows = await query<LotRow>(unexpiredLots, [[...accountIds], at]);
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
