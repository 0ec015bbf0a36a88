import { type DiscrepancyKind } from '#contracts';

/** A falsification of the books that the audit has to find. */
export interface PlantedEdit {
  readonly name: string;
  /**
   * Selects what can be edited. `account_id` is the account to name, `named` are ids that have to appear and `touched` others
   * that may; rows of each `stratum` are edited equally often.
   */
  readonly rows: string;
  /** Makes the edit; `:column` is a value of the row. */
  readonly sql: string;
  readonly finding: readonly string[] | DiscrepancyKind | 'names its rows only';
}

const moreOrLess = `(VALUES (1), (-1)) AS change (by)`;
const entryIds = 'array_remove(ARRAY[lot_id, charge_id, adjustment_id], NULL)';
/** Rare types of entries are edited as often as others, also what a charge let expire. */
const entryStratum = `type || ' ' || (charge_id IS NULL)`;
const entryRows = `SELECT id, account_id, ${entryStratum} AS stratum, ${entryIds} AS named, by FROM ledger_entries, ${moreOrLess}`;
const lotRows = `SELECT id, account_id, ARRAY[id] AS named, by FROM lots, ${moreOrLess}`;
const addToEntry = 'UPDATE ledger_entries SET credits = credits + :by WHERE id = :id';
const deleteEntry = 'DELETE FROM ledger_entries WHERE id = :id';

/** The smallest falsifications, each of a random row. */
const ofRandomRows: readonly Omit<PlantedEdit, 'finding'>[] = [
  { name: 'an entry of one credit more or less', rows: entryRows, sql: addToEntry },
  {
    name: 'an entry of one credit more or less, with the lot made to fit',
    rows: `SELECT id, account_id, lot_id, ${entryStratum} AS stratum, ARRAY[lot_id] AS touched, by,
        array_remove(ARRAY[charge_id, adjustment_id, CASE type WHEN 'purchase' THEN lot_id END], NULL) AS named
      FROM ledger_entries, ${moreOrLess} WHERE type <> 'expiry' OR charge_id IS NOT NULL`,
    sql: `${addToEntry}; UPDATE lots SET remaining = remaining + :by WHERE id = :lot_id`,
  },
  { name: 'a deleted entry', rows: entryRows, sql: deleteEntry },
  {
    name: 'a doubled entry',
    rows: entryRows,
    sql: `INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, adjustment_id, created_at)
      SELECT account_id, lot_id, type, credits, charge_id, adjustment_id, created_at FROM ledger_entries WHERE id = :id`,
  },
  {
    name: 'an entry of another lot',
    rows: `SELECT id, account_id, other, ${entryStratum} AS stratum, array_remove(ARRAY[charge_id], NULL) AS touched,
        array_remove(ARRAY[lot_id, other, CASE WHEN type <> 'charge' THEN charge_id END], NULL) AS named
      FROM ledger_entries AS entries, LATERAL (
        SELECT id AS other FROM lots WHERE account_id = entries.account_id AND id <> entries.lot_id
        ORDER BY md5(id::text || entries.id) LIMIT 1) AS others`,
    sql: 'UPDATE ledger_entries SET lot_id = :other WHERE id = :id',
  },
  {
    name: 'a lot that holds one credit more or less',
    rows: lotRows,
    sql: 'UPDATE lots SET remaining = remaining + :by WHERE id = :id',
  },
  {
    name: 'a lot of one credit more or less',
    rows: lotRows,
    sql: 'UPDATE lots SET credits = credits + :by WHERE id = :id',
  },
  {
    name: 'a charge of one credit more or less',
    rows: `SELECT id, account_id, ARRAY[id] AS named, by FROM charges, ${moreOrLess} WHERE state <> 'refused'`,
    sql: 'UPDATE charges SET credits = credits + :by WHERE id = :id',
  },
  {
    // One that contradicts what it has taken and given back.
    name: 'a charge of another state',
    rows: `SELECT id, account_id, ARRAY[id] AS named, other FROM charges JOIN (VALUES
        ('pending', 'voided'), ('pending', 'refused'), ('posted', 'voided'), ('posted', 'refused'),
        ('voided', 'pending'), ('voided', 'posted'), ('voided', 'refused'),
        ('refused', 'pending'), ('refused', 'posted'), ('refused', 'voided')
      ) AS wrong (state, other) USING (state) WHERE credits > 0`,
    sql: `UPDATE charges SET state = :other,
        refusal = CASE :other WHEN 'refused' THEN 'key_revoked' END,
        void_reason = CASE :other WHEN 'voided' THEN 'given_up' END,
        settled_at = CASE WHEN :other <> 'pending' THEN ledger_now() END
      WHERE id = :id`,
  },
];

/** The one charge of an account with two lots: pending, of 3 credits, from the older lot of 10. */
const soleCharge = `SELECT charges.id, charges.account_id, lot_id,
    (SELECT id FROM lots WHERE account_id = charges.account_id AND id <> lot_id) AS other_lot,
    (SELECT account_id FROM charges AS others WHERE account_id <> charges.account_id LIMIT 1) AS stranger
  FROM charges JOIN ledger_entries ON charge_id = charges.id
  WHERE charges.credits = 3 AND (SELECT count(*) FROM charges AS own WHERE own.account_id = charges.account_id) = 1`;
const deleteEntries = 'DELETE FROM ledger_entries WHERE charge_id = :id';
const changeLot = (change: string): string => `UPDATE lots SET ${change} WHERE id = :lot_id`;
const changeCharge = (change: string): string => `UPDATE charges SET ${change} WHERE id = :id`;
const settled = (state: string, change = ''): string =>
  changeCharge(`state = '${state}', settled_at = ledger_now() ${change}`);
const voided = settled('voided', `, void_reason = 'given_up'`);
const addEntry = (type: string, credits: number, charge = 'NULL', lot = ':lot_id', at = ''): string =>
  `INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
   VALUES (:account_id, ${lot}, '${type}', ${credits}, ${charge}, ledger_now() ${at})`;

const chargeDiffers = ['charge_entries_differ, charge'];
const ofTheSoleCharge: readonly (readonly [name: string, sql: readonly string[], finding: string[]])[] = [
  ['a lost entry', [deleteEntries], ['lot_remaining_differs, lot', ...chargeDiffers]],
  [
    'a lost entry whose lot was changed to match',
    [deleteEntries, changeLot('remaining = 10')],
    chargeDiffers,
  ],
  ['a lot that was changed', [changeLot('remaining = remaining + 1')], ['lot_remaining_differs, lot']],
  ['a lot whose size was changed', [changeLot('credits = 11')], ['lot_without_opening_entry, lot']],
  [
    'a lot without the entry that opened it',
    [`DELETE FROM ledger_entries WHERE type = 'purchase' AND lot_id = :lot_id`],
    ['lot_remaining_differs, lot', 'lot_without_opening_entry, lot', 'balance_negative, lot'],
  ],
  ['a doubled charge', [addEntry('charge', -3, ':id'), changeLot('remaining = 4')], chargeDiffers],
  [
    'a posted charge that was given back',
    [addEntry('reversal', 3, ':id'), changeLot('remaining = 10'), settled('posted')],
    chargeDiffers,
  ],
  ['a refused charge that took credits', [settled('refused', `, refusal = 'key_revoked'`)], chargeDiffers],
  ['a charge of other credits than it took', [changeCharge('credits = 4')], chargeDiffers],
  ['a voided charge that was not given back', [voided], chargeDiffers],
  ['a missing charge', ['DELETE FROM charges WHERE id = :id'], chargeDiffers],
  [
    'an entry without a lot',
    ['DELETE FROM lots WHERE id = :lot_id'],
    ['entry_without_lot, lot', 'entry_without_lot, lot, charge'],
  ],
  [
    'a negative balance, even one that was corrected later',
    [addEntry('expiry', -20), addEntry('purchase', 20)],
    ['lot_without_opening_entry, lot', 'balance_negative, lot', 'expiry_too_early, lot'],
  ],
  [
    'an adjustment whose entries do not add up',
    [
      `INSERT INTO adjustments (id, account_id, credits, reason, reference, credits_remaining, created_at)
       VALUES (gen_random_uuid(), :account_id, -2, 'test', 'test', 5, ledger_now())`,
    ],
    ['adjustment_entries_differ'],
  ],
  [
    'an entry that takes from an expired lot',
    [
      changeLot(
        `purchased_at = purchased_at - interval '31 days', expires_at = expires_at - interval '31 days'`,
      ),
    ],
    ['entry_after_expiry, lot, charge'],
  ],
  [
    'credits that came back to a lot that had expired',
    [addEntry('reversal', 3, ':id', ':lot_id', `+ interval '31 days'`), voided, changeLot('remaining = 10')],
    ['entry_after_expiry, lot, charge'],
  ],
  [
    'credits that were returned to another lot',
    [addEntry('reversal', 3, ':id', ':other_lot'), voided, changeLot('remaining = 10')],
    ['lot_remaining_differs', 'lot_remaining_differs, lot', ...chargeDiffers],
  ],
  [
    'an entry that was moved to another account',
    ['UPDATE ledger_entries SET account_id = :stranger WHERE charge_id = :id'],
    [...chargeDiffers, 'entry_without_lot, lot, charge, other account'],
  ],
];

const all = 'SELECT *, gen_random_uuid() AS new_lot FROM orders';
const allMoreOrLess = `SELECT orders.*, by FROM orders, ${moreOrLess}`;
const granted = `WHERE state = 'granted'`;
const change = (assignment: string): string => `UPDATE orders SET ${assignment} WHERE id = :id`;
const ordersWithAdjustment = `SELECT orders.id, orders.account_id, orders.lot_id, adjustments.id AS adjustment, entries.id AS entry,
    entries.credits, (SELECT id FROM orders AS others WHERE id <> orders.id LIMIT 1) AS other_order,
    (SELECT id FROM lots WHERE account_id = orders.account_id AND id <> orders.lot_id LIMIT 1) AS other_lot
  FROM orders JOIN adjustments ON order_id = orders.id JOIN ledger_entries AS entries ON adjustment_id = adjustments.id`;

type OrderEdit = readonly [name: string, rows: string, sql: string];

/** Each edit is made in each of the orders that it fits. */
const ofOrders: readonly (readonly [DiscrepancyKind, readonly OrderEdit[]])[] = [
  [
    'order_lot_differs',
    [
      [
        'a grant that its order has forgotten',
        `${all} ${granted}`,
        change(`state = 'expired', lot_id = NULL, granted_at = NULL`),
      ],
      ['an order that claims to be granted', `${all} WHERE state <> 'granted'`, change(`state = 'granted'`)],
      ['a granted order that claims not to be', `${all} ${granted}`, change(`state = 'open'`)],
      [
        // As the grant of the order would make it, with its entry.
        'a lot for an unpaid order',
        `${all} WHERE state <> 'granted'`,
        `INSERT INTO lots (id, account_id, pack, reference, credits, remaining, price_cents, purchased_at, expires_at, created_at)
      SELECT :new_lot, :account_id, :pack, 'stripe:' || :id, :credits, :credits, :price_cents, now, now + interval '30 days', now
      FROM ledger_now() AS now;
    INSERT INTO ledger_entries (account_id, lot_id, type, credits, created_at)
      VALUES (:account_id, :new_lot, 'purchase', :credits, ledger_now())`,
      ],
      [
        'an order of one credit more or less',
        `${allMoreOrLess} ${granted}`,
        change('credits = credits + :by'),
      ],
      [
        'an order of one cent more or less',
        `${allMoreOrLess} ${granted}`,
        change('price_cents = price_cents + :by'),
      ],
      ['an order of another pack', `${all} ${granted}`, change(`pack = 'trial'`)],
      [
        'an order with the lot of another',
        `SELECT orders.id, orders.account_id, lots.id AS other_lot FROM orders JOIN lots USING (account_id)
      ${granted} AND lots.id <> lot_id`,
        change('lot_id = :other_lot'),
      ],
      [
        'a lot of one cent more or less',
        `${allMoreOrLess} ${granted}`,
        changeLot('price_cents = price_cents + :by'),
      ],
    ],
  ],
  [
    'order_returns_differ',
    [
      [
        'one credit more or less taken back',
        allMoreOrLess,
        change('credits_taken_back = credits_taken_back + :by'),
      ],
      [
        'one credit more or less not recovered',
        allMoreOrLess,
        change('credits_not_recovered = credits_not_recovered + :by'),
      ],
      [
        // 29.8 cents each, or 28.4 with discount and tax. What was free gives nothing back.
        'the price of a credit more or less returned',
        `${allMoreOrLess} ${granted} AND total_cents IS DISTINCT FROM 0`,
        change('returned_cents = returned_cents + 30 * :by'),
      ],
      [
        'half or twice of what was paid, where some of it went back',
        `SELECT orders.*, times FROM orders, (VALUES (0.5), (2)) AS change (times)
      ${granted} AND returned_cents > 0 AND total_cents IS NOT NULL`,
        change('total_cents = round(total_cents * :times::numeric)'),
      ],
      [
        'an adjustment that was removed, with its entry, and the lot made to fit',
        ordersWithAdjustment,
        `DELETE FROM ledger_entries WHERE id = :entry; DELETE FROM adjustments WHERE id = :adjustment;
      ${changeLot('remaining = remaining - :credits')}`,
      ],
      [
        'an adjustment of another order',
        ordersWithAdjustment,
        'UPDATE adjustments SET order_id = :other_order WHERE id = :adjustment',
      ],
      [
        'an adjustment that took the credits of another lot',
        ordersWithAdjustment,
        'UPDATE ledger_entries SET lot_id = :other_lot WHERE id = :entry',
      ],
    ],
  ],
  [
    'order_amounts_differ',
    [
      ...['subtotal_cents = subtotal_cents - 1', 'discount_cents = discount_cents + 1'].map(amountsEdit),
      ...['total_cents = total_cents + 1', 'total_cents = total_cents - tax_cents - 1'].map(amountsEdit),
      [
        'another price that adds up, without a review',
        `${all} ${granted} AND total_cents IS NOT NULL`,
        change('subtotal_cents = subtotal_cents - 100, total_cents = total_cents - 100'),
      ],
      [
        'amounts of an unpaid order',
        `${all} WHERE state IN ('open', 'expired')`,
        change('subtotal_cents = 14900, discount_cents = 0, tax_cents = 0, total_cents = 14900'),
      ],
      [
        'a review of nothing',
        `${all} WHERE state IN ('in_review', 'refunded')`,
        change('problem = NULL, problem_at = NULL'),
      ],
    ],
  ],
];

const lotRefunds = `SELECT lot_id AS id, account_id, by FROM lot_refunds, ${moreOrLess}`;
const changeRefund = (change: string): string => `UPDATE lot_refunds SET ${change} WHERE lot_id = :id`;

const ofLotRefunds: readonly OrderEdit[] = [
  [
    'one credit more or less taken back by a refund',
    lotRefunds,
    changeRefund(
      'credits_taken_back = credits_taken_back + :by, credits_not_recovered = credits_not_recovered - :by',
    ),
  ],
  [
    'one credit more or less not recovered by a refund',
    lotRefunds,
    changeRefund('credits_not_recovered = credits_not_recovered + :by'),
  ],
  [
    'the refund of a lot that was bought by card',
    `SELECT lot_id AS id, account_id FROM orders ${granted}`,
    `INSERT INTO lot_refunds (lot_id, account_id, reason, reference, credits_taken_back, credits_not_recovered, created_at)
     SELECT id, account_id, 'test', 'test', 0, credits, ledger_now() FROM lots WHERE id = :id`,
  ],
];

/** The tax may be in the price. */
function amountsEdit(assignment: string): OrderEdit {
  const name = `amounts that do not add up, by one cent: ${assignment}`;
  return [name, `${all} WHERE total_cents IS NOT NULL`, change(assignment)];
}

export const plantedEdits: readonly PlantedEdit[] = [
  ...ofLotRefunds.map(([name, rows, sql]) => ({ name, rows, sql, finding: 'lot_refund_differs' as const })),
  ...ofRandomRows.map((edit) => ({ ...edit, finding: 'names its rows only' as const })),
  ...ofTheSoleCharge.map(([name, sql, finding]) => ({ name, rows: soleCharge, sql: sql.join(';'), finding })),
  ...ofOrders.flatMap(([finding, edits]) => edits.map(([name, rows, sql]) => ({ name, rows, sql, finding }))),
];
