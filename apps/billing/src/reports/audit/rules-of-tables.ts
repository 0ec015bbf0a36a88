import { monthSql } from '../../ledger/rules/key-budgets.js';
import { type Rule } from './rules-of-entries.js';

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
    WHERE monthly_limit IS NOT NULL AND spent <> counted.credits`,
};

/** Pending charges that should have ended by `$1`. */
export const chargeOverdue: Rule = {
  kind: 'charge_overdue',
  sql: `
    SELECT account_id, NULL::uuid AS lot_id, id AS charge_id,
      'voided soon after ' || pending_until AS expected, 'pending' AS found
    FROM charges
    WHERE state = 'pending' AND pending_until < $1
    ORDER BY pending_until`,
};

/** What the entries of an adjustment add up to: its credits, where they are archived. */
const takenSql = `CASE WHEN adjustments.created_at < (SELECT ledger_online_since()) THEN adjustments.credits ELSE entries.credits END`;

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
      OR EXISTS (SELECT FROM orders WHERE orders.lot_id = lots.id)`,
};

/** A lot whose first entries are archived has expired long ago. */
const archivedLot: Rule = {
  kind: 'lot_remaining_differs',
  sql: `
    SELECT account_id, id AS lot_id, NULL::uuid AS charge_id,
      '0 credits: its entries are archived' AS expected, remaining || ' credits' AS found
    FROM lots
    WHERE created_at < (SELECT ledger_online_since()) AND remaining <> 0`,
};

/** A granted order has one lot, of what was ordered; any other has none. */
const orderLot: Rule = {
  kind: 'order_lot_differs',
  sql: `
    SELECT orders.account_id, COALESCE(orders.lot_id, lots.id) AS lot_id, NULL::uuid AS charge_id,
      'order ' || orders.id || CASE orders.state
        WHEN 'granted' THEN ': a lot of ' || orders.credits || ' credits for ' || orders.price_cents || ' cents'
        ELSE ' is ' || orders.state || ': no lot'
      END AS expected,
      COALESCE('one of ' || lots.credits || ' for ' || lots.price_cents, 'none') AS found
    FROM orders
    LEFT JOIN lots ON lots.account_id = orders.account_id AND lots.reference = 'stripe:' || orders.id
    WHERE orders.lot_id IS DISTINCT FROM lots.id
      OR (orders.state = 'granted') <> (lots.id IS NOT NULL)
      OR lots.pack <> orders.pack OR lots.credits <> orders.credits OR lots.price_cents <> orders.price_cents`,
};

/**
 * The credits that an order has given back are those of its adjustments, all of its own lot, and as many as the money that
 * went back has bought: its share of what was really paid. More may only be missing from a lot that expired before the money returned.
 * The entries of each adjustment are found by its id.
 */
const orderReturns: Rule = {
  kind: 'order_returns_differ',
  sql: `
    WITH by_order AS (
      SELECT adjustments.order_id, -sum(${takenSql}) AS taken, bool_and(entries.own_lot) AS own_lot
      FROM adjustments
      JOIN orders ON orders.id = adjustments.order_id
      CROSS JOIN LATERAL (
        SELECT sum(credits) AS credits, bool_and(lot_id = adjustments.lot_id AND lot_id = orders.lot_id) AS own_lot
        FROM ledger_entries WHERE adjustment_id = adjustments.id
      ) AS entries
      GROUP BY adjustments.order_id
    ), owed AS (
      SELECT id, COALESCE(total_cents, price_cents) AS paid_cents,
        CASE WHEN state = 'granted' AND COALESCE(total_cents, price_cents) > 0
          THEN credits::bigint * returned_cents / COALESCE(total_cents, price_cents) ELSE 0 END AS credits
      FROM orders
    )
    SELECT orders.account_id, orders.lot_id, NULL::uuid AS charge_id,
      'order ' || orders.id || ': ' || orders.returned_cents || ' of ' || owed.paid_cents || ' cents returned, '
        || orders.credits_taken_back || ' credits taken back from its lot, '
        || GREATEST(0, owed.credits - orders.credits_taken_back) || ' not recovered' AS expected,
      COALESCE(by_order.taken, 0) || ' taken back, ' || orders.credits_not_recovered || ' not recovered' AS found
    FROM orders
    JOIN owed ON owed.id = orders.id
    LEFT JOIN by_order ON by_order.order_id = orders.id
    LEFT JOIN lots ON lots.id = orders.lot_id
    WHERE orders.credits_taken_back <> COALESCE(by_order.taken, 0)
      OR NOT COALESCE(by_order.own_lot, true)
      OR orders.credits_not_recovered <> GREATEST(0, owed.credits - orders.credits_taken_back)
      OR (orders.credits_taken_back > owed.credits AND lots.expires_at > (SELECT ledger_now()))`,
};

/**
 * Only a paid order has amounts, and they add up: the total is the price less the discount, with the tax, which may be in the
 * price already. An order that was granted without a review was paid at the price of the pack.
 */
const orderAmounts: Rule = {
  kind: 'order_amounts_differ',
  sql: `
    SELECT account_id, lot_id, NULL::uuid AS charge_id,
      'order ' || id || ' is ' || state || ': '
        || CASE WHEN state IN ('granted', 'in_review', 'refunded') THEN price_cents || ' cents' ELSE 'nothing' END AS expected,
      'paid ' || COALESCE(subtotal_cents || ' less ' || discount_cents || ', with ' || tax_cents || ' tax ' || total_cents, 'nothing')
        || COALESCE(', ' || problem, ', nothing to look at') AS found
    FROM orders
    WHERE (total_cents IS NOT NULL AND state NOT IN ('granted', 'in_review', 'refunded'))
      OR total_cents NOT BETWEEN subtotal_cents - discount_cents AND subtotal_cents - discount_cents + tax_cents
      OR (state = 'granted' AND problem IS NULL AND subtotal_cents <> price_cents)
      OR (state IN ('in_review', 'refunded') AND problem IS NULL)`,
};

/** The rules about tables that stay small, each read as a whole, and about archived lots. */
export const rulesOfTables: readonly Rule[] = [archivedLot, lotRefund, orderLot, orderReturns, orderAmounts];
