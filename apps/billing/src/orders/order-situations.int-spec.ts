import { type OrderView } from '#contracts';
import { type Failure, type PriceChanges, type StripeStandIn } from '#stripe-stand-in';
import { Logger } from '@nestjs/common';
import { hourMs } from '../durations.js';
import { refusal } from '../people/people.fixture.js';
import { ReviewedOrdersService } from './operators/reviewed-orders.service.js';
import { type Started, useShop } from './shop.fixture.js';

/** What happens to an order, an hour after it was started and before its buyer comes back. */
type Step = (order: Started) => unknown;
type Situation = readonly [name: string, steps: readonly Step[], expected: string];

const shop = useShop();

function paid(changes?: PriceChanges): Step {
  return ({ sessionId }) => shop.standIn.payments.pay(sessionId, 'card', changes);
}
const delayed: Step = ({ sessionId }) => shop.standIn.payments.pay(sessionId, 'delayed');
const expired: Step = ({ sessionId }) => shop.standIn.payments.expire(sessionId);
function refunded(cents?: number): Step {
  return (order) => shop.standIn.returns.refund(shop.intentOf(order), cents);
}
const disputed: Step = (order) => {
  const { id } = shop.standIn.returns.dispute(shop.intentOf(order));
  shop.standIn.returns.closeDispute(id, 'lost');
};
function fails(failure: Failure): Step {
  return () => shop.standIn.failures.add(failure);
}
function mayOnly(allowed: Parameters<StripeStandIn['permissions']['restrict']>[0]): Step {
  return () => shop.standIn.permissions.restrict(allowed);
}
const mispriced: Step = ({ sessionId }) =>
  Object.assign(shop.standIn.records.session(sessionId), { amount_subtotal: 100, amount_total: 100 });
const forgotten: Step = ({ sessionId }) => shop.standIn.records.sessions.delete(sessionId);
const paidElsewhere: Step = (order) => shop.paidElsewhere(order);
const paidAgain: Step = (order) => shop.paidElsewhere(order, { metadata: { order_id: order.orderId } });
const delivered: Step = () => shop.deliverAll();
const reconciled: Step = () => shop.reconcile();
const viewed: Step = (order) => shop.comeBack(order);
const lost: Step = ({ orderId }) => shop.ledger.query('DELETE FROM orders WHERE id = $1', [orderId]);
const sessionNotStored: Step = () => shop.ledger.query('UPDATE orders SET checkout_session_id = NULL');
const spent450: Step = async (order) => {
  const customer = await shop.customerOf(order);
  await customer.spend(shop.ledger.replicas[0], 450);
};
function otherLot(credits: number): Step {
  return ({ accountId }) => shop.ledger.factory.lot({ accountId, credits });
}

const vat = { taxPercent: 19 };
const second = 'a second payment of 14,900 cents in usd';

const situations: readonly Situation[] = [
  ['open', [], 'open, 0 credits'],
  ['expired', [expired], 'expired, 0 credits'],
  ['paid by card', [paid()], 'granted, 500 credits'],
  ['paid by a bank that takes days', [delayed], 'processing, 0 credits'],
  ['paid with tax and a discount', [paid({ ...vat, discountPercent: 20 })], 'granted, 500 credits'],
  ['free with a discount of everything', [paid({ discountPercent: 100 })], 'granted, 500 credits'],
  ['paid on top of any number of credits', [otherLot(2e9), paid()], 'granted, 2000000500 credits'],
  // What goes back takes its share of what was really paid.
  ['half refunded', [paid(vat), refunded(8_865)], 'granted, 251 credits, 8865 of 17731 cents back'],
  ['refunded', [paid(vat), refunded()], 'granted, 0 credits, 17731 of 17731 cents back'],
  ['disputed', [paid(), disputed], 'granted, 0 credits, 14900 of 14900 cents back'],
  [
    'refunded after it was spent: other lots keep their credits',
    [paid(), viewed, spent450, otherLot(1_000), refunded(7_450), delivered],
    'granted, 1000 credits, 7450 of 14900 cents back, 200 not recovered',
  ],
  // What differs is for an operator.
  ['mispriced', [mispriced, paid()], 'in_review, 0 credits, paid 100 cents in usd, ordered 14,900 in usd'],
  ['paid twice', [paid(), viewed, paidAgain, delivered, delivered], `granted, 500 credits, ${second}`],
  // In the same account of Stripe, as by a Payment Link with `?client_reference_id=`, which buyers can write themselves.
  ['named in a payment for something else', [paidElsewhere, delivered], 'open, 0 credits'],
  [
    'paid in a session that was not stored',
    [sessionNotStored, paid(), refunded(2_980), delivered],
    'granted, 400 credits, 2980 of 14900 cents back',
  ],
  // Failures of Stripe, and rights that the key lacks.
  ['paid while Stripe is down', [paid(), fails({ kind: 'break' })], 'open, not checked, 0 credits'],
  ['paid while our key is not known', [paid(), fails({ kind: '401' })], 'open, not checked, 0 credits'],
  ['not known to Stripe', [paid(), forgotten], 'open, not checked, 0 credits'],
  [
    'paid while refunds fail',
    [paid(), fails({ kind: '500', operation: 'list_refunds' })],
    'granted, 500 credits, returns not read',
  ],
  [
    'half refunded while disputes may not be read',
    [paid(vat), refunded(8_865), mayOnly({ disputes: 'none' })],
    'granted, 251 credits, 8865 of 17731 cents back, returns not read',
  ],
  [
    'paid while only sessions may be read',
    [paid(), mayOnly({ payment_intents: 'none', charges: 'none', disputes: 'none' })],
    'granted, 500 credits, returns not read',
  ],
  [
    'paid while sessions may not be read',
    [paid(), mayOnly({ checkout_sessions: 'none' })],
    'open, not checked, 0 credits',
  ],
  // The database was restored to an instant before the order was started.
  ['lost, and found by the reconciliation', [reconciled, lost, paid(), reconciled], 'granted, 500 credits'],
  [
    'lost, and found by an event of its refund',
    [lost, paid(), refunded(7_450), delivered],
    'granted, 250 credits, 7450 of 14900 cents back',
  ],
];

/** What billing has stored of the order, in a few words; sessions are left out. */
async function summaryOf(order: Started, { is_checked }: OrderView): Promise<string> {
  const stored = await shop.order(order);
  const { state, totalCents, returnedCents, creditsNotRecovered, problem, resolution } = stored;
  const parts = [
    is_checked ? state : `${state}, not checked`,
    `${await shop.ledger.balance(order.accountId)} credits`,
    returnedCents > 0 && `${returnedCents} of ${totalCents} cents back`,
    creditsNotRecovered > 0 && `${creditsNotRecovered} not recovered`,
    stored.returnsPending && 'returns not read',
    problem?.replaceAll(/ \(session \w+\)/g, ''),
    resolution && `resolved as ${resolution}`,
  ];
  return parts.filter(Boolean).join(', ');
}

beforeAll(() => {
  Logger.overrideLogger(false);
});

it.each(situations)('an order is %s', async (_name, steps, expected) => {
  await shop.at(0);
  const order = await shop.started();
  const payUrl = shop.sessions[0]?.url;
  await shop.at(hourMs);
  for (const step of steps) await step(order);
  const view = await shop.comeBack(order);
  expect(await summaryOf(order, view)).toBe(expected);
  // A buyer who may have paid is not sent to pay again.
  const orderUrl = `https://site.example/account/buy/${order.orderId}`;
  const { checkout_url } = await shop.ask(order.accountId, order);
  expect(checkout_url).toBe(expected === 'open, 0 credits' ? payUrl : orderUrl);
});

it('an order that is paid after its account was closed is for an operator, without credits', async () => {
  const order = await shop.started();
  await shop.ledger.query(
    `UPDATE accounts SET closed_at = ledger_now(), suspended_at = ledger_now(), suspension_reason = 'closed' WHERE id = $1`,
    [order.accountId],
  );
  shop.standIn.payments.pay(order.sessionId, 'card');
  await shop.comeBack(order);
  const problem = expect.stringContaining('the account was closed before it was paid') as string;
  expect(await shop.order(order)).toMatchObject({ state: 'in_review', problem });
  const grant = { order_id: order.orderId, resolution: 'granted' } as const;
  expect(await refusal(shop.replica(0).get(ReviewedOrdersService).resolve(grant))).toBe('conflict');
  expect(await shop.lots(order.accountId)).toEqual([]);
});
