import { type LotView } from '#contracts';
import { onlyRow, type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { lotOrder } from '../rules/allocate.js';
import { overdueSql } from '../rules/ledger-state.js';

type LotRow = Omit<LotView, 'purchased_at' | 'expires_at'> & {
  readonly purchased_at: Date;
  readonly expires_at: Date;
};

/**
 * An expired lot shows 0, whether or not the sweep has written it off, because nothing can be spent from it; any other has the credits
 * too that overdue pending charges return to it, although there is no entry yet. `$2`: the instant.
 */
const lotsSql = `
  SELECT lots.id, pack, lots.credits,
    CASE WHEN expires_at <= $2 THEN 0 ELSE remaining + COALESCE((
      SELECT -sum(entries.credits)::integer
      FROM charges JOIN ledger_entries AS entries ON entries.charge_id = charges.id
      WHERE charges.account_id = lots.account_id AND ${overdueSql('charges', '$2')}
        AND entries.lot_id = lots.id AND entries.type = 'charge' AND entries.created_at = charges.created_at
    ), 0) END AS remaining,
    price_cents::float8 AS price_cents, purchased_at, expires_at,
    COALESCE(lots.reference, adjustments.reference) AS reference,
    CASE WHEN lot_refunds.lot_id IS NOT NULL THEN json_build_object(
      'at', lot_refunds.created_at, 'reason', lot_refunds.reason, 'reference', lot_refunds.reference,
      'credits_taken_back', credits_taken_back, 'credits_not_recovered', credits_not_recovered
    ) END AS refund
  FROM lots
  LEFT JOIN lot_refunds ON lot_refunds.lot_id = lots.id
  LEFT JOIN adjustments
    ON adjustments.account_id = lots.account_id AND adjustments.lot_id = lots.id AND adjustments.order_id IS NULL`;

/**
 * Lots as operators see them. Hand-written: the database adds up what overdue charges return, found through
 * `lots_of_account`, `charges_pending_of_account`, `ledger_entries_once_per_charge`, `adjustments_reference_unique` and `lot_refunds_pk`.
 */
@Injectable()
export class LotViewsRepository {
  /** Every lot of an account as of `at`, oldest first. */
  async ofAccount({ query }: Queryable, accountId: string, at: Date): Promise<LotView[]> {
    const sql = `${lotsSql} WHERE lots.account_id = $1 ORDER BY ${lotOrder('lots')}`;
    return (await query<LotRow>('select lots of account', sql, [accountId, at])).map(toLotView);
  }

  /** Lots of an account that have not expired at `at`, in the order in which they are spent. */
  async unexpired({ query }: Queryable, accountId: string, at: Date): Promise<LotView[]> {
    const sql = `${lotsSql} WHERE lots.account_id = $1 AND lots.expires_at > $2 ORDER BY ${lotOrder('lots')}`;
    return (await query<LotRow>('select unexpired lots', sql, [accountId, at])).map(toLotView);
  }

  async get({ query }: Queryable, lotId: string, at: Date): Promise<LotView> {
    const rows = await query<LotRow>('select lot', `${lotsSql} WHERE lots.id = $1`, [lotId, at]);
    return toLotView(onlyRow(rows));
  }
}

function toLotView({ refund, ...row }: LotRow): LotView {
  return {
    ...row,
    purchased_at: row.purchased_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    refund: refund && { ...refund, at: new Date(refund.at).toISOString() },
  };
}
