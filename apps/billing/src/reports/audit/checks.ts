import { type Check } from './audit.repository.js';
import { orderAmounts, orderLot, orderReturns } from './order-checks.js';

/** A lot's credits are the sum of its entries. */
const lotRemaining: Check = {
  kind: 'lot_remaining_differs',
  sql: `
    SELECT lots.account_id, lots.id AS lot_id, NULL::uuid AS charge_id,
      COALESCE(entries.credits, 0) || ' credits by its entries' AS expected,
      lots.remaining || ' credits' AS found
    FROM lots
    LEFT JOIN (SELECT lot_id, sum(credits) AS credits FROM ledger_entries GROUP BY lot_id) AS entries
      ON entries.lot_id = lots.id
    WHERE lots.remaining <> COALESCE(entries.credits, 0)
    LIMIT $1`,
};

/** A lot is opened once, with all of its credits: by a purchase, or by an adjustment when it is goodwill. */
const openingEntry: Check = {
  kind: 'lot_without_opening_entry',
  sql: `
    SELECT lots.account_id, lots.id AS lot_id, NULL::uuid AS charge_id,
      'one opening entry of ' || lots.credits AS expected,
      COALESCE(opening.entries, 0) || ' of ' || COALESCE(opening.credits, 0) AS found
    FROM lots
    LEFT JOIN (
      SELECT lot_id, type, count(*) AS entries, sum(credits) AS credits
      FROM ledger_entries
      WHERE type IN ('purchase', 'adjustment') AND credits > 0
      GROUP BY lot_id, type
    ) AS opening
      ON opening.lot_id = lots.id
      AND opening.type = CASE lots.pack WHEN 'adjustment' THEN 'adjustment' ELSE 'purchase' END
    WHERE opening.entries IS DISTINCT FROM 1 OR opening.credits <> lots.credits
    LIMIT $1`,
};

/**
 * The entries of a charge follow from its state: pending and posted took its credits, voided gave the same back to each
 * lot, refused has no entries. Entries of a charge that does not exist, or belongs to another account, are a breach
 * too.
 */
const chargeEntries: Check = {
  kind: 'charge_entries_differ',
  sql: `
    WITH by_lot AS (
      SELECT charge_id, lot_id, (array_agg(account_id))[1] AS account_id, count(DISTINCT account_id) AS accounts,
        COALESCE(-sum(credits) FILTER (WHERE type = 'charge'), 0) AS taken,
        COALESCE(sum(credits) FILTER (WHERE type = 'reversal'), 0) AS returned,
        COALESCE(-sum(credits) FILTER (WHERE type = 'expiry'), 0) AS expired
      FROM ledger_entries
      WHERE charge_id IS NOT NULL
      GROUP BY charge_id, lot_id
    ), by_charge AS (
      SELECT charge_id, (array_agg(account_id))[1] AS account_id,
        sum(taken) AS taken, sum(returned) AS returned, sum(expired) AS expired,
        bool_and(returned IN (0, taken) AND expired IN (0, returned)) AS each_lot_right,
        bool_and(accounts = 1) AND count(DISTINCT account_id) = 1 AS one_account
      FROM by_lot
      GROUP BY charge_id
    )
    SELECT COALESCE(charges.account_id, by_charge.account_id) AS account_id, NULL::uuid AS lot_id,
      COALESCE(charges.id, by_charge.charge_id) AS charge_id,
      CASE
        WHEN charges.id IS NULL THEN 'a charge behind the entries'
        WHEN charges.state = 'refused' THEN 'refused: no entries'
        WHEN charges.state = 'voided' THEN 'voided: ' || charges.credits || ' taken and returned to the same lots'
        ELSE charges.state || ': ' || charges.credits || ' taken, 0 returned'
      END AS expected,
      CASE
        WHEN by_charge.charge_id IS NULL THEN 'no entries'
        WHEN NOT by_charge.one_account OR by_charge.account_id <> charges.account_id THEN 'entries of another account'
        ELSE by_charge.taken || ' taken, ' || by_charge.returned || ' returned, ' || by_charge.expired || ' of it expired'
      END AS found
    FROM charges
    FULL JOIN by_charge ON by_charge.charge_id = charges.id
    WHERE charges.id IS NULL
      OR NOT COALESCE(by_charge.one_account AND by_charge.account_id = charges.account_id, true)
      OR NOT COALESCE(by_charge.each_lot_right, true)
      OR COALESCE(by_charge.taken, 0) <> CASE charges.state WHEN 'refused' THEN 0 ELSE charges.credits END
      OR COALESCE(by_charge.returned, 0) <> CASE charges.state WHEN 'voided' THEN charges.credits ELSE 0 END
      OR (charges.state <> 'voided' AND COALESCE(by_charge.expired, 0) <> 0)
    LIMIT $1`,
};

/** The entries of an adjustment add up to its credits. */
const adjustmentEntries: Check = {
  kind: 'adjustment_entries_differ',
  sql: `
    WITH by_adjustment AS (
      SELECT adjustment_id, (array_agg(account_id))[1] AS account_id, sum(credits) AS credits
      FROM ledger_entries
      WHERE adjustment_id IS NOT NULL
      GROUP BY adjustment_id
    )
    SELECT COALESCE(adjustments.account_id, by_adjustment.account_id) AS account_id, adjustments.lot_id,
      NULL::uuid AS charge_id,
      COALESCE('adjustment ' || adjustments.id || ' of ' || adjustments.credits, 'an adjustment behind the entries')
        AS expected,
      'entries of ' || COALESCE(by_adjustment.credits, 0) AS found
    FROM adjustments
    FULL JOIN by_adjustment ON by_adjustment.adjustment_id = adjustments.id
    WHERE adjustments.id IS NULL OR adjustments.credits <> COALESCE(by_adjustment.credits, 0)
    LIMIT $1`,
};

/** No lot was below 0 at any entry in its history. */
const negativeBalance: Check = {
  kind: 'balance_negative',
  sql: `
    SELECT (array_agg(account_id))[1] AS account_id, lot_id, NULL::uuid AS charge_id,
      'never below 0' AS expected, min(balance) || ' credits' AS found
    FROM (
      SELECT account_id, lot_id, sum(credits) OVER (PARTITION BY lot_id ORDER BY id) AS balance FROM ledger_entries
    ) AS history
    GROUP BY lot_id
    HAVING min(balance) < 0
    LIMIT $1`,
};

/** Every entry belongs to a lot of its own account. */
const entryWithoutLot: Check = {
  kind: 'entry_without_lot',
  sql: `
    SELECT entries.account_id, entries.lot_id, entries.charge_id,
      'a lot of the same account' AS expected,
      COALESCE('a lot of account ' || lots.account_id, 'no lot') || ' behind entry ' || entries.id AS found
    FROM ledger_entries AS entries
    LEFT JOIN lots ON lots.id = entries.lot_id
    WHERE lots.id IS NULL OR lots.account_id <> entries.account_id
    LIMIT $1`,
};

/** Nothing is taken from an expired lot or given to it, and what is returned to one expires with the same charge. */
const entryAfterExpiry: Check = {
  kind: 'entry_after_expiry',
  sql: `
    SELECT entries.account_id, entries.lot_id, entries.charge_id,
      CASE entries.type
        WHEN 'reversal' THEN 'an expiry with the reversal'
        WHEN 'adjustment' THEN 'no adjustment from ' || lots.expires_at
        ELSE 'nothing taken from ' || lots.expires_at
      END AS expected,
      entries.type || ' of ' || entries.credits || ' at ' || entries.created_at AS found
    FROM ledger_entries AS entries
    JOIN lots ON lots.id = entries.lot_id AND entries.created_at >= lots.expires_at
    LEFT JOIN ledger_entries AS expiry
      ON expiry.charge_id = entries.charge_id AND expiry.lot_id = entries.lot_id AND expiry.type = 'expiry'
      AND expiry.credits = -entries.credits
    WHERE entries.type = 'charge'
      OR entries.type = 'adjustment'
      OR (entries.type = 'reversal' AND expiry.id IS NULL)
    LIMIT $1`,
};

/** No credits expire before their lot does. */
const expiryTooEarly: Check = {
  kind: 'expiry_too_early',
  sql: `
    SELECT entries.account_id, entries.lot_id, entries.charge_id,
      'no expiry before ' || lots.expires_at AS expected,
      entries.credits || ' at ' || entries.created_at AS found
    FROM ledger_entries AS entries
    JOIN lots ON lots.id = entries.lot_id
    WHERE entries.type = 'expiry' AND entries.created_at < lots.expires_at
    LIMIT $1`,
};

/** What a key with a monthly limit has spent is the sum of its charges of that month. */
const keySpending: Check = {
  kind: 'key_spending_differs',
  sql: `
    SELECT api_keys.account_id, NULL::uuid AS lot_id, NULL::uuid AS charge_id,
      counted.credits || ' credits of key ' || api_keys.id || ' by its charges' AS expected, spent || ' credits' AS found
    FROM api_keys
    CROSS JOIN LATERAL (
      SELECT COALESCE(sum(credits), 0) AS credits FROM charges
      WHERE charges.account_id = api_keys.account_id AND charges.key_id = api_keys.id
        AND state IN ('pending', 'posted') AND charges.created_at >= spent_since
        AND date_trunc('month', charges.created_at, 'UTC') = spent_since
    ) AS counted
    WHERE monthly_limit IS NOT NULL AND spent <> counted.credits
    LIMIT $1`,
};

/** Pending charges that should have ended by `$2`. */
export const chargeOverdue: Check = {
  kind: 'charge_overdue',
  sql: `
    SELECT account_id, NULL::uuid AS lot_id, id AS charge_id,
      'voided soon after ' || pending_until AS expected, 'pending' AS found
    FROM charges
    WHERE state = 'pending' AND pending_until < $2
    ORDER BY pending_until
    LIMIT $1`,
};

/** A refund has taken back what its adjustments took, all from its own lot, which was not bought by card; the rest was not there. */
const lotRefund: Check = {
  kind: 'lot_refund_differs',
  sql: `
    WITH by_lot AS (
      SELECT adjustments.refunded_lot_id AS lot_id, -sum(entries.credits) AS taken,
        bool_and(entries.lot_id = adjustments.refunded_lot_id) AS own_lot
      FROM adjustments
      LEFT JOIN ledger_entries AS entries ON entries.adjustment_id = adjustments.id
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

/** The rules that do not depend on the time. */
export const timelessChecks: readonly Check[] = [
  lotRemaining,
  openingEntry,
  chargeEntries,
  adjustmentEntries,
  negativeBalance,
  entryWithoutLot,
  entryAfterExpiry,
  expiryTooEarly,
  lotRefund,
  orderLot,
  orderReturns,
  orderAmounts,
  keySpending,
];
