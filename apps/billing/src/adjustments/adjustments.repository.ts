import { type Query } from '../database/query.js';

export interface AdjustmentRow {
  readonly id: string;
  readonly credits: number;
  readonly reason: string;
  readonly reference: string;
  readonly lot_id: string | null;
  readonly credits_remaining: number;
  readonly created_at: Date;
}

export async function findAdjustment(
  query: Query,
  accountId: string,
  reference: string,
): Promise<AdjustmentRow | undefined> {
  const [row] = await query<AdjustmentRow>(
    `SELECT id, credits, reason, reference, lot_id, credits_remaining::float8 AS credits_remaining, created_at
     FROM adjustments WHERE account_id = $1 AND reference = $2`,
    [accountId, reference],
  );
  return row;
}

export async function insertAdjustment(query: Query, accountId: string, row: AdjustmentRow): Promise<void> {
  await query(
    `INSERT INTO adjustments (id, account_id, credits, reason, reference, lot_id, credits_remaining, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      row.id,
      accountId,
      row.credits,
      row.reason,
      row.reference,
      row.lot_id,
      row.credits_remaining,
      row.created_at,
    ],
  );
}
