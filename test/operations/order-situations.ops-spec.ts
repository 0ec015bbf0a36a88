import { type Buyer, OwnShop } from './support/own-shop.js';

/**
 * A situation of an order at Stripe when its buyer comes back, what the buyer reads, how many of the 500 credits they have, and
 * what operators see. No event arrives: billing asks Stripe. Further situations: apps/billing/src/orders/*.int-spec.ts.
 */
type Row = readonly [
  situation: string,
  happens: readonly Step[],
  reads: string,
  credits: number,
  operator: string,
];
type Step = (shop: OwnShop, buyer: Buyer) => void;

let shop: OwnShop;
beforeAll(async () => (shop = await OwnShop.start()), 120_000);
afterAll(() => shop?.stop());
afterEach(() => shop.calm());

type Changes = Parameters<OwnShop['standIn']['payments']['pay']>[2];
type NewDispute = Parameters<OwnShop['standIn']['returns']['dispute']>[1];
type Failure = Parameters<OwnShop['standIn']['failures']['add']>[0];
type Permissions = Parameters<OwnShop['standIn']['permissions']['restrict']>[0];

const paid =
  (changes?: Changes): Step =>
  ({ standIn }, { session }) =>
    standIn.payments.pay(session.id, 'card', changes);
const delayed =
  (outcome?: 'succeeded' | 'failed'): Step =>
  ({ standIn }, { session }) => {
    standIn.payments.pay(session.id, 'delayed');
    if (outcome) standIn.payments.settle(session.id, outcome);
  };
const declined: Step = ({ standIn }, { session }) => standIn.payments.pay(session.id, 'declined card');
const expired: Step = ({ standIn }, { session }) => standIn.payments.expire(session.id);
const refunded =
  (cents?: number): Step =>
  ({ standIn }, buyer) =>
    standIn.returns.refund(intentOf(buyer), cents);
const refundFailed: Step = ({ standIn }, buyer) => {
  standIn.returns.failRefund(standIn.returns.refund(intentOf(buyer)).id);
};
const disputed =
  (given: NewDispute = {}, outcome?: 'won' | 'lost'): Step =>
  ({ standIn }, buyer) => {
    const { id } = standIn.returns.dispute(intentOf(buyer), given);
    if (outcome) standIn.returns.closeDispute(id, outcome);
  };
const fails =
  (failure: Failure): Step =>
  ({ standIn }) =>
    standIn.failures.add(failure);
const allowed =
  (permissions: Permissions): Step =>
  ({ standIn }) =>
    standIn.permissions.restrict(permissions);
const differs =
  (change: object): Step =>
  (_shop, { session }) =>
    Object.assign(session, change);

function intentOf({ session }: Buyer): string {
  if (session.payment_intent === null) throw new Error('nothing was paid');
  return session.payment_intent;
}

const vat = { taxPercent: 19 };
const notPaid = 'No payment has arrived for this order. Just paid?';
const notChecked = 'We could not check whether this order is paid';
const added = 'Paid. 500 credits were added to your account.';
const review = 'We received your payment and are reviewing it. You do not need to pay again';
const inEuro = 'paid 14,900 cents in eur, ordered 14,900 in usd';
const tryAgain = 'The payment provider does not respond. You were not charged: try again in a moment.';
const unread = 'granted, refunds and disputes not read';

// prettier-ignore
const situations: readonly Row[] = [
  ['it is open',                                           [],                                                                    notPaid,                                              0,   'open'],
  ['a card was declined',                                  [declined],                                                            notPaid,                                              0,   'open'],
  ['its session has expired',                              [expired],                                                             'not paid in time. You were not charged',             0,   'expired'],
  ['it is paid by card',                                   [paid()],                                                              added,                                                500, 'granted'],
  ['it is paid by a bank that takes days',                 [delayed()],                                                           'Payment is processing',                              0,   'processing'],
  ['the money of the bank has arrived',                    [delayed('succeeded')],                                                added,                                                500, 'granted'],
  ['the money of the bank has not arrived',                [delayed('failed')],                                                   'The payment failed',                                 0,   'failed'],
  ['it is paid with tax and a discount',                   [paid({ ...vat, discountPercent: 20 })],                               'Discount -$29.80 Tax $22.65 Paid $141.85',           500, 'granted'],
  ['a discount covers all of it',                          [paid({ discountPercent: 100 })],                                      'A discount covered the whole price.',                500, 'granted'],
  ['half of it and its tax is refunded',                   [paid(vat), refunded(8_865)],                                          '$88.65 of $177.31 returned, 249 credits taken back', 251, 'granted'],
  ['all of it is refunded',                                [paid(vat), refunded()],                                               '$177.31 returned, 500 credits taken back',           0,   'granted'],
  ['its refund has failed',                                [paid(), refundFailed],                                                added,                                                500, 'granted'],
  ['half of it is refunded and the rest disputed',         [paid(), refunded(7_450), disputed()],                                 '$149 returned, 500 credits',                         0,   'granted'],
  ['it is disputed in another currency',                   [paid(), disputed({ amount: 13_000, currency: 'eur' })],               '$149 returned, 500 credits',                         0,   'granted'],
  ['a dispute was won',                                    [paid(), disputed({}, 'won')],                                         added,                                                500, 'granted'],
  ['a dispute was lost',                                   [paid(), disputed({}, 'lost')],                                        '$149 returned, 500 credits taken back',              0,   'granted'],
  ['the bank only inquires',                               [paid(), disputed({ isInquiry: true })],                               added,                                                500, 'granted'],
  ['it is paid at another price',                          [differs({ amount_subtotal: 100, amount_total: 100 }), paid()],        review,                                               0,   'in_review: paid 100 cents in usd, ordered 14,900 in usd'],
  ['it is paid in another currency',                       [differs({ currency: 'eur' }), paid()],                                review,                                               0,   `in_review: ${inEuro}`],
  ['it is paid in live mode',                              [differs({ livemode: true }), paid()],                                 review,                                               0,   'in_review: paid in live mode, orders are sold in test mode'],
  ['it is paid in another currency and refunded',          [differs({ currency: 'eur' }), paid(), refunded()],                    'This order was refunded',                            0,   `refunded: ${inEuro}, resolved as refunded`],
  ['Stripe is down',                                       [paid(), fails({ kind: 'break' })],                                    notChecked,                                           0,   'open'],
  ['Stripe fails after the session has expired',           [expired, fails({ kind: '500' })],                                     notChecked,                                           0,   'open'],
  ['Stripe fails for refunds',                             [paid(), fails({ kind: '500', operation: 'list_refunds' })],           added,                                                500, unread],
  ['Stripe fails for disputes',                            [paid(vat), fails({ kind: '500', operation: 'list_disputes' })],       'Paid $177.31',                                       500, unread],
  ['our key is not known',                                 [paid(), fails({ kind: '401' })],                                      notChecked,                                           0,   'open'],
  ['our key may not read sessions',                        [paid(), allowed({ checkout_sessions: 'none' })],                      notChecked,                                           0,   'open'],
  ['our key may not read payments',                        [paid(), allowed({ payment_intents: 'none' })],                        added,                                                500, 'granted'],
  ['our key may not read disputes, and half is refunded',  [paid(vat), refunded(8_865), allowed({ disputes: 'none' })],           '$88.65 of $177.31 returned, 249 credits taken back', 251, unread],
  ['our key may not read disputes, and the price differs', [differs({ currency: 'eur' }), paid(), allowed({ disputes: 'none' })], review,                                               0,   `in_review: ${inEuro}, refunds and disputes not read`],
];

// prettier-ignore
const decided: readonly (readonly [decision: string, decide: (buyer: Buyer) => Promise<void>, reads: string, credits: number, operator: string])[] = [
  ['grants it',            (buyer) => buyer.isResolved('granted'),  added,                     500, `granted: ${inEuro}, resolved as granted`],
  ['closes it',            (buyer) => buyer.isResolved('refunded'), 'This order was refunded', 0,   `refunded: ${inEuro}, resolved as refunded`],
  ['refunds the payment',  (buyer) => buyer.isRefunded(),           'This order was refunded', 0,   `refunded: ${inEuro}, resolved as refunded`],
];

async function check([, happens, reads, credits, operator]: Row): Promise<void> {
  const buyer = await shop.newBuyer();
  expect((await buyer.press()).status).toBe(303);
  const payUrl = buyer.session.url;
  for (const step of happens) step(shop, buyer);
  const { text } = await buyer.look();
  expect(text).toContain(reads);
  expect(await buyer.balance()).toBe(credits);
  expect(await buyer.operatorSees()).toBe(operator);
  // A buyer who may have paid does not read otherwise, and is not sent to pay again.
  expect(/nothing was (taken|ordered|paid)|not charged/i.test(text)).toBe(operator === 'expired');
  const isPayable = reads === notPaid;
  expect(text.includes('Go to payment')).toBe(isPayable);
  const { location } = await buyer.press();
  expect(location).toBe(isPayable ? payUrl : shop.stack.publicUrl + buyer.orderPath);
}

it('an order whose start failed says so, and the same button works as soon as Stripe does', async () => {
  const buyer = await shop.newBuyer();
  shop.standIn.failures.add({ kind: '500' });
  const { status, text } = await buyer.press();
  expect([status, text]).toEqual([503, expect.stringContaining(tryAgain)]);
  shop.calm();
  expect((await buyer.press()).location).toBe((await buyer.shownSession()).url);
});

it.each(situations)('an order is shown to its buyer and to operators when %s', (...row) => check(row));

it.each(decided)(
  'a payment in another currency is shown when an operator %s',
  async (_decision, decide, reads, credits, operator) => {
    const buyer = await shop.newBuyer();
    await buyer.press();
    Object.assign(buyer.session, { currency: 'eur' });
    shop.standIn.payments.pay(buyer.session.id, 'card');
    expect((await buyer.look()).text).toContain(review);
    await decide(buyer);
    expect((await buyer.look()).text).toContain(reads);
    expect(await buyer.balance()).toBe(credits);
    expect(await buyer.operatorSees()).toBe(operator);
  },
);
