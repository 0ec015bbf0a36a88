import { monthSql } from '../../ledger/rules/key-budgets.js';
import { type Rule } from './entry-rules.js';
import { orderAmounts, orderLot, orderReturns, takenSql } from './order-rules.js';

/**
 * What a key with a monthly limit has spent is the sum of its charges of that month: as many as it had in the month, which only
 * the full audit reads.
 */
export const keySpending: Rule = {
  kind: 'key_spending_differs',
  sql: `
    SELECT api_keys.account_id, NULL::uuid AS lot_id, NULL::uuid AS charge_id,
      counted.credits || ' credits of key ' || api_keys.id || ' by its charges' AS expected, spent || ' credits' AS found
    FROM api_keys
    CROSS JOIN LATERAL (
      SELECT COALESCE(sum(credits), 0) AS credits FROM charges
      WHERE charges.account_id = api_keys.account_id AND charges.key_id = api_keys.id
        AND state IN ('pending', 'posted') AND charges.created_at >= spent_since
        AND ${monthSql('charges.created_at')} = spent_since
    ) AS counted
    WHERE monthly_limit IS NOT NULL AND spent <> counted.credits
    LIMIT $1`,
};

/** Pending charges that should have ended by `$1`. */
export const chargeOverdue: Rule = {
  kind: 'charge_overdue',
  sql: `
    SELECT account_id, NULL::uuid AS lot_id, id AS charge_id,
      'voided soon after ' || pending_until AS expected, 'pending' AS found
    FROM charges
    WHERE state = 'pending' AND pending_until < $1
    ORDER BY pending_until
    LIMIT $2`,
};

/**
 * A refund has taken back what its adjustments took, all from its own lot, which was not bought by card; the rest was not there. The
 * entries of each adjustment are found by its id.
 */
const lotRefund: Rule = {
  kind: 'lot_refund_differs',
  sql: `
    WITH by_lot AS (
      SELECT adjustments.refunded_lot_id AS lot_id, -sum(${takenSql}) AS taken, bool_and(entries.own_lot) AS own_lot
      FROM adjustments
      CROSS JOIN LATERAL (
        SELECT sum(credits) AS credits, bool_and(lot_id = adjustments.refunded_lot_id) AS own_lot
        FROM ledger_entries WHERE adjustment_id = adjustments.id
      ) AS entries
      WHERE adjustments.refunded_lot_id IS NOT NULL
      GROUP BY adjustments.refunded_lot_id
    )
    SELECT lot_refunds.account_id, lot_refunds.lot_id, NULL::uuid AS charge_id,
      'lot ' || lot_refunds.lot_id || ', refunded as ' || lot_refunds.reference || ': ' || credits_taken_back || ' taken back from its lot, '
        || lots.credits - credits_taken_back || ' not recovered' AS expected,
      COALESCE(by_lot.taken, 0) || ' taken back, ' || credits_not_recovered || ' not recovered'
        || CASE WHEN EXISTS (SELECT FROM orders WHERE orders.lot_id = lots.id) THEN ', bought by card' ELSE '' END AS found
    FROM lot_refunds
    JOIN lots ON lots.id = lot_refunds.lot_id
    LEFT JOIN by_lot ON by_lot.lot_id = lot_refunds.lot_id
    WHERE credits_taken_back <> COALESCE(by_lot.taken, 0)
      OR NOT COALESCE(by_lot.own_lot, true)
      OR credits_taken_back + credits_not_recovered <> lots.credits
      OR EXISTS (SELECT FROM orders WHERE orders.lot_id = lots.id)
    LIMIT $1`,
};

/** A lot whose first entries are archived has expired long ago. */
const archivedLot: Rule = {
  kind: 'lot_remaining_differs',
  sql: `
    SELECT account_id, id AS lot_id, NULL::uuid AS charge_id,
      '0 credits: its entries are archived' AS expected, remaining || ' credits' AS found
    FROM lots
    WHERE created_at < (SELECT ledger_online_since()) AND remaining <> 0
    LIMIT $1`,
};

/** The rules about tables that stay small, each read as a whole, and about archived lots. */
export const wholeRules: readonly Rule[] = [archivedLot, lotRefund, orderLot, orderReturns, orderAmounts];
