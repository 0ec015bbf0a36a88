import { type AuditReply, type DiscrepancyKind } from '@app/contracts';
import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { lotReference } from '../../credits/references.js';
import { openShop, type Shop, type Started } from '../../orders/shop.fixture.js';
import { AuditService } from './audit.service.js';
import { type Change, replaceRows, rowsOf } from './planted-rows.fixture.js';

interface OrderRow {
  readonly id: string;
  readonly account_id: string;
  readonly pack: string;
  readonly credits: number;
  readonly price_cents: number;
  readonly state: string;
  readonly lot_id: string | null;
  readonly granted_at: string | null;
  readonly subtotal_cents: number | null;
  readonly discount_cents: number | null;
  readonly tax_cents: number | null;
  readonly total_cents: number | null;
  readonly problem: string | null;
  readonly problem_at: string | null;
  readonly returned_cents: number;
  readonly credits_taken_back: number;
  readonly credits_not_recovered: number;
}

interface LotRow {
  readonly id: string;
  readonly account_id: string;
  readonly reference: string | null;
  readonly remaining: number;
  readonly price_cents: number;
}

interface EntryRow {
  readonly id: number;
  readonly lot_id: string;
  readonly type: string;
  readonly credits: number;
  readonly adjustment_id: string | null;
}

interface AdjustmentRow {
  readonly id: string;
  readonly order_id: string | null;
}

interface Books {
  readonly orders: readonly OrderRow[];
  readonly lots: readonly LotRow[];
  readonly ledger_entries: readonly EntryRow[];
  readonly adjustments: readonly AdjustmentRow[];
}

let open: Awaited<ReturnType<typeof openShop>>;
let shop: Shop;
let books: Books;

beforeAll(async () => {
  Logger.overrideLogger(false);
  open = await openShop();
  ({ shop } = open);
  books = await keepBooks();
  await dropGuards();
});

afterAll(() => open.close());

const audit = (): Promise<AuditReply> => shop.ledger.get(AuditService).audit();

/**
 * Orders in every state: with all of their credits, with a fifth or all of them returned, with some that were spent, with tax and
 * a discount, free, in review and refunded.
 */
async function keepBooks(): Promise<Books> {
  const { ledger, standIn } = shop;
  const account = await ledger.customer(0);
  const opened = (): Promise<Started> => shop.start(account.accountId);
  const [whole, fifth, spent, expired] = [await opened(), await opened(), await opened(), await opened()];
  const [taxed, free, differing, refunded] = [await opened(), await opened(), await opened(), await opened()];
  await opened();
  for (const { sessionId } of [differing, refunded]) {
    Object.assign(standIn.records.session(sessionId), { amount_subtotal: 1_900, amount_total: 1_900 });
  }
  const atTheirPrice = [whole, fifth, spent, differing, refunded];
  for (const { sessionId } of atTheirPrice) standIn.payments.pay(sessionId, 'card');
  standIn.payments.pay(taxed.sessionId, 'card', { taxPercent: 19, discountPercent: 20 });
  standIn.payments.pay(free.sessionId, 'card', { discountPercent: 100 });
  for (const order of [whole, fifth, spent, taxed, free]) await shop.comeBack(order);
  standIn.payments.expire(expired.sessionId);
  // From the oldest lot on.
  await account.charge(ledger.replica(0), 1_100);
  standIn.returns.refund(shop.intentOf(fifth), 2_980);
  standIn.returns.refund(shop.intentOf(spent));
  standIn.returns.refund(shop.intentOf(taxed), 7_093);
  standIn.returns.refund(shop.intentOf(differing), 900);
  standIn.returns.refund(shop.intentOf(refunded));
  const won = standIn.returns.dispute(shop.intentOf(whole));
  await shop.deliverAll();
  standIn.returns.closeDispute(won.id, 'won');
  await shop.deliverAll();
  return {
    orders: await rowsOf<OrderRow>(ledger, 'orders'),
    lots: await rowsOf<LotRow>(ledger, 'lots'),
    ledger_entries: await rowsOf<EntryRow>(ledger, 'ledger_entries'),
    adjustments: await rowsOf<AdjustmentRow>(ledger, 'adjustments'),
  };
}

/** The schema refuses nearly all of these edits; an attacker who can make them can switch that off. */
async function dropGuards(): Promise<void> {
  const { query } = shop.ledger;
  const ofReturns = ['returned_range', 'taken_back_range', 'not_recovered_rest'];
  for (const name of ['granted_whole', 'problem_whole', 'review_has_problem', ...ofReturns]) {
    await query(`ALTER TABLE orders DROP CONSTRAINT orders_${name}`);
  }
  await query('ALTER TABLE orders DROP CONSTRAINT orders_lot_unique');
}

const ofOrder = (order: OrderRow, change: Partial<OrderRow>): Change[] => [
  { table: 'orders', before: [order], after: [{ ...order, ...change }] },
];
const ofLot = (lot: LotRow, change: Partial<LotRow>): Change => ({
  table: 'lots',
  before: [lot],
  after: [{ ...lot, ...change }],
});

const isGranted = ({ state }: OrderRow): boolean => state === 'granted';
const lotOf = ({ lot_id }: OrderRow): LotRow => found(books.lots, ({ id }) => id === lot_id);
const adjustmentsOf = ({ id }: OrderRow): AdjustmentRow[] =>
  books.adjustments.filter(({ order_id }) => order_id === id);
const entryOf = ({ id }: AdjustmentRow): EntryRow =>
  found(books.ledger_entries, ({ adjustment_id }) => adjustment_id === id);

function found<Row>(rows: readonly Row[], isIt: (row: Row) => boolean): Row {
  const row = rows.find(isIt);
  if (!row) throw new Error('there is no such row');
  return row;
}

/** An edit for each order that it fits. */
type Planter = (order: OrderRow) => Change[][];

const ofTheLot: Record<string, Planter> = {
  'a grant that its order has forgotten': (order) =>
    isGranted(order) ? [ofOrder(order, { state: 'expired', lot_id: null, granted_at: null })] : [],
  'an order that claims to be granted': (order) =>
    isGranted(order) ? [] : [ofOrder(order, { state: 'granted' })],
  'a granted order that claims not to be': (order) =>
    isGranted(order) ? [ofOrder(order, { state: 'open' })] : [],
  'a lot for an unpaid order': (order) => (isGranted(order) ? [] : [unpaidLot(order)]),
  'an order of one credit more or less': (order) =>
    isGranted(order) ? [1, -1].map((one) => ofOrder(order, { credits: order.credits + one })) : [],
  'an order of one cent more or less': (order) =>
    isGranted(order) ? [1, -1].map((one) => ofOrder(order, { price_cents: order.price_cents + one })) : [],
  'an order of another pack': (order) => (isGranted(order) ? [ofOrder(order, { pack: 'trial' })] : []),
  'an order with the lot of another': (order) =>
    isGranted(order)
      ? books.lots.filter(({ id }) => id !== order.lot_id).map(({ id }) => ofOrder(order, { lot_id: id }))
      : [],
  'a lot of one cent more or less': (order) =>
    isGranted(order)
      ? [1, -1].map((one) => [ofLot(lotOf(order), { price_cents: order.price_cents + one })])
      : [],
};

const ofTheReturns: Record<string, Planter> = {
  'one credit more or less taken back': (order) =>
    [1, -1].map((one) => ofOrder(order, { credits_taken_back: order.credits_taken_back + one })),
  'one credit more or less not recovered': (order) =>
    [1, -1].map((one) => ofOrder(order, { credits_not_recovered: order.credits_not_recovered + one })),
  // 29.8 cents each, or 28.4 with discount and tax. What was free gives nothing back.
  'the price of a credit more or less returned': (order) =>
    isGranted(order) && order.total_cents !== 0
      ? [30, -30].map((cents) => ofOrder(order, { returned_cents: order.returned_cents + cents }))
      : [],
  'half or twice of what was paid, where some of it went back': (order) =>
    isGranted(order) && order.returned_cents > 0 && order.total_cents !== null
      ? [0.5, 2].map((times) => ofOrder(order, { total_cents: Math.round((order.total_cents ?? 0) * times) }))
      : [],
  'an adjustment that was removed, with its entry, and the lot made to fit': (order) =>
    adjustmentsOf(order).map((adjustment) => {
      const entry = entryOf(adjustment);
      const lot = lotOf(order);
      return [
        { table: 'ledger_entries', before: [entry], after: [] },
        { table: 'adjustments', before: [adjustment], after: [] },
        ofLot(lot, { remaining: lot.remaining - entry.credits }),
      ];
    }),
  'an adjustment of another order': (order) =>
    adjustmentsOf(order).map((adjustment) => {
      const other = found(books.orders, ({ id }) => id !== order.id);
      return [{ table: 'adjustments', before: [adjustment], after: [{ ...adjustment, order_id: other.id }] }];
    }),
  'an adjustment that took the credits of another lot': (order) =>
    adjustmentsOf(order).map((adjustment) => {
      const entry = entryOf(adjustment);
      const other = found(books.lots, ({ id }) => id !== order.lot_id);
      return [{ table: 'ledger_entries', before: [entry], after: [{ ...entry, lot_id: other.id }] }];
    }),
};

const ofTheAmounts: Record<string, Planter> = {
  'amounts that do not add up, by one cent': (order) => {
    const { subtotal_cents: subtotal, discount_cents: discount, tax_cents: tax, total_cents: total } = order;
    if (subtotal === null || discount === null || tax === null || total === null) return [];
    return [
      ofOrder(order, { subtotal_cents: subtotal - 1 }),
      ofOrder(order, { discount_cents: discount + 1 }),
      ofOrder(order, { total_cents: total + 1 }),
      // The tax may be in the price.
      ofOrder(order, { total_cents: total - tax - 1 }),
    ];
  },
  'another price that adds up, without a review': (order) =>
    isGranted(order) && order.subtotal_cents !== null && order.total_cents !== null
      ? [
          ofOrder(order, {
            subtotal_cents: order.subtotal_cents - 100,
            total_cents: order.total_cents - 100,
          }),
        ]
      : [],
  'amounts of an unpaid order': (order) =>
    ['open', 'expired'].includes(order.state)
      ? [ofOrder(order, { subtotal_cents: 14_900, discount_cents: 0, tax_cents: 0, total_cents: 14_900 })]
      : [],
  'a review of nothing': (order) =>
    ['in_review', 'refunded'].includes(order.state)
      ? [ofOrder(order, { problem: null, problem_at: null })]
      : [],
};

/** A lot as the grant of the order would make it, with its entry. */
function unpaidLot(order: OrderRow): Change[] {
  const model = found(books.lots, ({ price_cents }) => price_cents === order.price_cents);
  const lot = { ...model, id: randomUUID(), reference: lotReference(order.id), remaining: order.credits };
  const opening = found(
    books.ledger_entries,
    ({ lot_id, type }) => lot_id === model.id && type === 'purchase',
  );
  const entry = { ...opening, id: 1_000_000, lot_id: lot.id };
  return [
    { table: 'lots', before: [], after: [lot] },
    { table: 'ledger_entries', before: [], after: [entry] },
  ];
}

/** What is wrong with the audit's answer; nothing when this check names the order. */
function objections({ discrepancies }: AuditReply, kind: DiscrepancyKind, order: OrderRow): string[] {
  const named = discrepancies.filter((one) => one.kind === kind && one.expected.includes(order.id));
  const [one] = named;
  if (!one) return [`${kind} does not name it`];
  return one.account_id === order.account_id ? [] : ['another account is named'];
}

it.each([
  ['order_lot_differs' as const, ofTheLot],
  ['order_returns_differ' as const, ofTheReturns],
  ['order_amounts_differ' as const, ofTheAmounts],
])(
  '%s finds every change of an order, its lot or its adjustments, and names the order',
  async (kind, planters) => {
    const sound = await audit();
    expect(sound).toMatchObject({ ok: true, discrepancies: [] });
    const missed: object[] = [];
    for (const [what, plant] of Object.entries(planters)) {
      const edits = books.orders.flatMap((order) => plant(order).map((changes) => ({ order, changes })));
      expect({ what, isPlanted: edits.length > 0 }).toEqual({ what, isPlanted: true });
      for (const { order, changes } of edits) {
        await replaceRows(shop.ledger, changes, 'before');
        const wrong = objections(await audit(), kind, order);
        await replaceRows(shop.ledger, changes, 'after');
        if (wrong.length > 0) missed.push({ what, wrong, order, changes });
      }
    }
    expect(missed).toEqual([]);
    expect(await audit()).toEqual(sound);
  },
);
