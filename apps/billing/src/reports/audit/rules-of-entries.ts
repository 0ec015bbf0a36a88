import { type DiscrepancyKind } from '#contracts';

/** A rule whose breaches one statement finds: as account_id, lot_id, charge_id, expected, found. */
export interface Rule {
  readonly kind: DiscrepancyKind;
  readonly sql: string;
}

/**
 * A rule about things whose rows may lie in several windows. What a window shows of them makes them suspect; then all of their rows
 * decide, which indexes find.
 */
export interface RuleOfSubjects {
  readonly kind: DiscrepancyKind;
  /** `$1` and `$2`: the window. Gives `subject`. */
  readonly suspects: string;
  /** `$1`: the suspects. */
  readonly breaches: string;
}

/** The rows that a rule checks: conditions on entries, and on the subjects to which they belong. */
interface Scope {
  readonly entries: string;
  readonly subjects: string;
}

/** Excludes the start of the window and includes its end. PostgreSQL reads only the pages and the months of that time. */
export const inWindow = 'created_at > $1 AND created_at <= $2';

function ofSubjects(kind: DiscrepancyKind, behind: Scope, sql: (scope: Scope) => string): RuleOfSubjects {
  return {
    kind,
    suspects: `SELECT subject FROM (${sql({ entries: inWindow, subjects: inWindow })}) AS suspects`,
    breaches: `
      SELECT account_id, lot_id, charge_id, expected, found FROM (${sql(behind)}) AS breaches
      WHERE account_id IS NOT NULL`,
  };
}

/**
 * A lot is opened once, with all of its credits: by a purchase, or by an adjustment when it is goodwill. An adjustment may also
 * give credits back to a lot that was bought.
 */
const openingEntry = ofSubjects(
  'lot_without_opening_entry',
  {
    entries: 'lot_id = ANY($1) AND account_id = ANY(ARRAY(SELECT account_id FROM lots WHERE id = ANY($1)))',
    // The opening entry of an older one may be archived.
    subjects: 'id = ANY($1) AND created_at >= (SELECT ledger_online_since())',
  },
  ({ entries, subjects }) => `
    SELECT COALESCE(lots.id, opening.lot_id) AS subject, lots.account_id, lots.id AS lot_id, NULL::uuid AS charge_id,
      'one opening entry of ' || lots.credits AS expected,
      COALESCE(opening.entries, 0) || ' of ' || COALESCE(opening.credits, 0) AS found
    FROM (SELECT * FROM lots WHERE ${subjects}) AS lots
    FULL JOIN (
      SELECT lot_id, type, count(*) AS entries, sum(credits) AS credits
      FROM ledger_entries
      WHERE type IN ('purchase', 'adjustment') AND credits > 0 AND ${entries}
      GROUP BY lot_id, type
    ) AS opening
      ON opening.lot_id = lots.id
      AND opening.type = CASE lots.pack WHEN 'adjustment' THEN 'adjustment' ELSE 'purchase' END
    WHERE opening.entries IS DISTINCT FROM 1 OR opening.credits IS DISTINCT FROM lots.credits`,
);

/**
 * The entries of a charge follow from its state: pending and posted took its credits, voided gave the same back to each
 * lot, refused has no entries. Entries of a charge that does not exist, or belongs to another account, are a breach
 * too. A charge of an archived month is still there when it is returned in the next one, but what it took may not be.
 */
const chargeEntries = ofSubjects(
  'charge_entries_differ',
  { entries: 'charge_id = ANY($1)', subjects: 'id = ANY($1)' },
  ({ entries, subjects }) => `
    SELECT COALESCE(charges.id, by_charge.charge_id) AS subject,
      COALESCE(charges.account_id, by_charge.account_id) AS account_id, NULL::uuid AS lot_id,
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
    FROM (SELECT * FROM charges WHERE ${subjects}) AS charges
    FULL JOIN (
      SELECT charge_id, (array_agg(account_id))[1] AS account_id,
        sum(taken) AS taken, sum(returned) AS returned, sum(expired) AS expired,
        bool_and(returned IN (0, taken) AND expired IN (0, returned)) AS each_lot_right,
        bool_and(accounts = 1) AND count(DISTINCT account_id) = 1 AS one_account
      FROM (
        SELECT charge_id, lot_id, (array_agg(account_id))[1] AS account_id, count(DISTINCT account_id) AS accounts,
          COALESCE(-sum(credits) FILTER (WHERE type = 'charge'), 0) AS taken,
          COALESCE(sum(credits) FILTER (WHERE type = 'reversal'), 0) AS returned,
          COALESCE(-sum(credits) FILTER (WHERE type = 'expiry'), 0) AS expired
        FROM ledger_entries
        WHERE charge_id IS NOT NULL AND ${entries}
        GROUP BY charge_id, lot_id
      ) AS by_lot
      GROUP BY charge_id
    ) AS by_charge ON by_charge.charge_id = charges.id
    WHERE NOT COALESCE(charges.created_at < (SELECT ledger_online_since()) AND COALESCE(by_charge.taken, 0) = 0, false)
      AND (charges.id IS NULL
      OR NOT COALESCE(by_charge.one_account AND by_charge.account_id = charges.account_id, true)
      OR NOT COALESCE(by_charge.each_lot_right, true)
      OR COALESCE(by_charge.taken, 0) <> CASE charges.state WHEN 'refused' THEN 0 ELSE charges.credits END
      OR COALESCE(by_charge.returned, 0) <> CASE charges.state WHEN 'voided' THEN charges.credits ELSE 0 END
      OR (charges.state <> 'voided' AND COALESCE(by_charge.expired, 0) <> 0))`,
);

/** The entries of an adjustment add up to its credits. */
const adjustmentEntries = ofSubjects(
  'adjustment_entries_differ',
  { entries: 'adjustment_id = ANY($1)', subjects: 'id = ANY($1)' },
  ({ entries, subjects }) => `
    SELECT COALESCE(adjustments.id, by_adjustment.adjustment_id) AS subject,
      COALESCE(adjustments.account_id, by_adjustment.account_id) AS account_id, adjustments.lot_id,
      NULL::uuid AS charge_id,
      COALESCE('adjustment ' || adjustments.id || ' of ' || adjustments.credits, 'an adjustment behind the entries')
        AS expected,
      'entries of ' || COALESCE(by_adjustment.credits, 0) AS found
    FROM (SELECT * FROM adjustments WHERE ${subjects}) AS adjustments
    FULL JOIN (
      SELECT adjustment_id, (array_agg(account_id))[1] AS account_id, sum(credits) AS credits
      FROM ledger_entries
      WHERE adjustment_id IS NOT NULL AND ${entries}
      GROUP BY adjustment_id
    ) AS by_adjustment ON by_adjustment.adjustment_id = adjustments.id
    WHERE NOT COALESCE(adjustments.created_at < (SELECT ledger_online_since()), false)
      AND (adjustments.id IS NULL OR adjustments.credits <> COALESCE(by_adjustment.credits, 0))`,
);

const entriesOfWindow = `(SELECT * FROM ledger_entries WHERE ${inWindow}) AS entries`;

/** Every entry belongs to a lot of its own account. */
const entryWithoutLot: Rule = {
  kind: 'entry_without_lot',
  sql: `
    SELECT entries.account_id, entries.lot_id, entries.charge_id,
      'a lot of the same account' AS expected,
      COALESCE('a lot of account ' || lots.account_id, 'no lot') || ' behind entry ' || entries.id AS found
    FROM ${entriesOfWindow}
    LEFT JOIN lots ON lots.id = entries.lot_id
    WHERE lots.id IS NULL OR lots.account_id <> entries.account_id`,
};

/**
 * Nothing is taken from an expired lot or given to it, and what is returned to one expires with the same charge, at the same
 * instant.
 */
const entryAfterExpiry: Rule = {
  kind: 'entry_after_expiry',
  sql: `
    SELECT entries.account_id, entries.lot_id, entries.charge_id,
      CASE entries.type
        WHEN 'reversal' THEN 'an expiry with the reversal'
        WHEN 'adjustment' THEN 'no adjustment from ' || lots.expires_at
        ELSE 'nothing taken from ' || lots.expires_at
      END AS expected,
      entries.type || ' of ' || entries.credits || ' at ' || entries.created_at AS found
    FROM ${entriesOfWindow}
    JOIN lots ON lots.id = entries.lot_id AND entries.created_at >= lots.expires_at
    LEFT JOIN (SELECT * FROM ledger_entries WHERE type = 'expiry' AND charge_id IS NOT NULL AND ${inWindow}) AS expiry
      ON expiry.charge_id = entries.charge_id AND expiry.lot_id = entries.lot_id
      AND expiry.created_at = entries.created_at AND expiry.credits = -entries.credits
    WHERE entries.type = 'charge'
      OR entries.type = 'adjustment'
      OR (entries.type = 'reversal' AND expiry.id IS NULL)`,
};

/** No credits expire before their lot does. */
const expiryTooEarly: Rule = {
  kind: 'expiry_too_early',
  sql: `
    SELECT entries.account_id, entries.lot_id, entries.charge_id,
      'no expiry before ' || lots.expires_at AS expected,
      entries.credits || ' at ' || entries.created_at AS found
    FROM ${entriesOfWindow}
    JOIN lots ON lots.id = entries.lot_id
    WHERE entries.type = 'expiry' AND entries.created_at < lots.expires_at`,
};

/** The rules about the single entries of a window. `$1` and `$2`: the window. */
export const rulesOfEntries: readonly Rule[] = [entryWithoutLot, entryAfterExpiry, expiryTooEarly];

export const rulesOfSubjects: readonly RuleOfSubjects[] = [openingEntry, chargeEntries, adjustmentEntries];
