import { type Buyer, OwnShop } from './support/own-shop.js';

// A request to Stripe is given up after five seconds.
jest.setTimeout(30_000);

/**
 * Each situation that an order can be in at Stripe when its buyer comes back, what the buyer reads, how many of the 500 credits
 * they have, and what operators see. No event arrives: everything is found by asking.
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
const notSold = 'Credits cannot be bought at the moment';
const unread = 'granted, refunds and disputes not read';

// prettier-ignore
const session: readonly Row[] = [
  ['is open',                                          [],                     notPaid,                                            0,   'open'],
  ['is open after a declined card',                    [declined],             notPaid,                                            0,   'open'],
  ['has expired',                                      [expired],              'not paid in time. You were not charged', 0,   'expired'],
  ['is paid by card',                                  [paid()],               added,                                              500, 'granted'],
  ['is paid by a bank that takes days',                [delayed()],            'Payment is processing',                            0,   'processing'],
  ['is paid by a bank, and the money has arrived',     [delayed('succeeded')], added,                                              500, 'granted'],
  ['is paid by a bank, and the money has not arrived', [delayed('failed')],    'The payment failed',                               0,   'failed'],
];

// prettier-ignore
const amounts: readonly Row[] = [
  ['tax',                      [paid(vat)],                             'Price $149 Tax $28.31 Paid $177.31',       500, 'granted'],
  ['a discount',               [paid({ discountPercent: 20 })],         'Price $149 Discount -$29.80 Paid $119.20', 500, 'granted'],
  ['tax and a discount',       [paid({ ...vat, discountPercent: 20 })], 'Discount -$29.80 Tax $22.65 Paid $141.85', 500, 'granted'],
  ['a discount of everything', [paid({ discountPercent: 100 })],        'A discount covered the whole price.',      500, 'granted'],
];

// prettier-ignore
const returned: readonly Row[] = [
  ['half of it is refunded',                       [paid(), refunded(7_450)],                               '$74.50 of $149 returned, 250 credits taken back',    250, 'granted'],
  ['half of it and its tax is refunded',           [paid(vat), refunded(8_865)],                            '$88.65 of $177.31 returned, 249 credits taken back', 251, 'granted'],
  ['all of it and its tax is refunded',            [paid(vat), refunded()],                                 '$177.31 returned, 500 credits taken back',           0,   'granted'],
  ['half of a discounted price is refunded',       [paid({ discountPercent: 20 }), refunded(5_960)],        '$59.60 of $119.20 returned, 250 credits',            250, 'granted'],
  ['its refund has failed',                        [paid(), refundFailed],                                  added,                                                500, 'granted'],
  ['it is disputed',                               [paid(), disputed()],                                    '$149 returned, 500 credits taken back',              0,   'granted'],
  ['it is disputed with its tax',                  [paid(vat), disputed()],                                 '$177.31 returned, 500 credits taken back',           0,   'granted'],
  ['half of it is disputed',                       [paid(), disputed({ amount: 7_450 })],                   '$74.50 of $149 returned, 250 credits',               250, 'granted'],
  ['half of it is refunded and the rest disputed', [paid(), refunded(7_450), disputed()],                   '$149 returned, 500 credits',                         0,   'granted'],
  ['it is disputed in another currency',           [paid(), disputed({ amount: 13_000, currency: 'eur' })], '$149 returned, 500 credits',                         0,   'granted'],
  ['a dispute was won',                            [paid(), disputed({}, 'won')],                           added,                                                500, 'granted'],
  ['a dispute was lost',                           [paid(), disputed({}, 'lost')],                          '$149 returned, 500 credits taken back',              0,   'granted'],
  ['the bank only inquires',                       [paid(), disputed({ isInquiry: true })],                 added,                                                500, 'granted'],
];

// prettier-ignore
const differing: readonly Row[] = [
  ['at another price',                            [differs({ amount_subtotal: 100, amount_total: 100 }), paid()],    review,                                       0, 'in_review: paid 100 cents in usd, ordered 14,900 in usd'],
  ['in another currency',                         [differs({ currency: 'eur' }), paid()],                            review,                                       0, `in_review: ${inEuro}`],
  ['in live mode',                                [differs({ livemode: true }), paid()],                             review,                                       0, 'in_review: paid in live mode, orders are sold in test mode'],
  ['in another currency, and was refunded',       [differs({ currency: 'eur' }), paid(), refunded()],                'This order was refunded', 0, `refunded: ${inEuro}, resolved as refunded`],
  ['at another price, by a bank that takes days', [differs({ amount_subtotal: 100, amount_total: 100 }), delayed()], 'Payment is processing',                      0, 'processing'],
];

// prettier-ignore
const decided: readonly (readonly [decision: string, decide: (buyer: Buyer) => Promise<void>, reads: string, credits: number, operator: string])[] = [
  ['grants it',        (buyer) => buyer.isResolved('granted'),  added,                                        500, `granted: ${inEuro}, resolved as granted`],
  ['says it is over',  (buyer) => buyer.isResolved('refunded'), 'This order was refunded', 0,   `refunded: ${inEuro}, resolved as refunded`],
  ['gives money back', (buyer) => buyer.isRefunded(),           'This order was refunded', 0,   `refunded: ${inEuro}, resolved as refunded`],
];

// prettier-ignore
const failing: readonly Row[] = [
  ['is down',                               [paid(), fails({ kind: 'break' })],                                notChecked,     0,   'open'],
  ['fails',                                 [paid(), fails({ kind: '500' })],                                  notChecked,     0,   'open'],
  ['has too many requests',                 [paid(), fails({ kind: '429' })],                                  notChecked,     0,   'open'],
  ['does not answer',                       [paid(), fails({ kind: 'time out' })],                             notChecked,     0,   'open'],
  ['does not answer, and nothing was paid', [fails({ kind: 'time out' })],                                     notChecked,     0,   'open'],
  ['fails, and the session has expired',    [expired, fails({ kind: '500' })],                                 notChecked,     0,   'open'],
  ['fails, and a bank takes days',          [delayed(), fails({ kind: '500' })],                               notChecked,     0,   'open'],
  ['fails for refunds',                     [paid(), fails({ kind: '500', operation: 'list_refunds' })],       added,          500, unread],
  ['fails for disputes',                    [paid(vat), fails({ kind: '500', operation: 'list_disputes' })],   'Paid $177.31', 500, unread],
  ['does not answer for disputes',          [paid(), fails({ kind: 'time out', operation: 'list_disputes' })], added,          500, unread],
];

// prettier-ignore
const forbidden: readonly Row[] = [
  ['anything: it is not known',              [paid(), fails({ kind: '401' })],                                      notChecked,     0,   'open'],
  ['read sessions',                          [paid(), allowed({ checkout_sessions: 'none' })],                      notChecked,     0,   'open'],
  ['read sessions, and the session is open', [allowed({ checkout_sessions: 'none' })],                              notChecked,     0,   'open'],
  ['read payments',                          [paid(), allowed({ payment_intents: 'none' })],                        added,          500, 'granted'],
  ['read refunds',                           [paid(), allowed({ charges: 'none' })],                                added,          500, unread],
  ['read disputes',                          [paid(), allowed({ disputes: 'none' })],                               added,          500, unread],
  ['read disputes, and half is refunded',    [paid(vat), refunded(8_865), allowed({ disputes: 'none' })],           '$88.65 of $177.31 returned, 249 credits taken back', 251, unread],
  ['read disputes, and the price differs',   [differs({ currency: 'eur' }), paid(), allowed({ disputes: 'none' })], review,         0,   `in_review: ${inEuro}, refunds and disputes not read`],
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
  // Whoever may have paid is not told otherwise, and is not sent to pay again.
  expect(/nothing was (taken|ordered|paid)|not charged/i.test(text)).toBe(operator === 'expired');
  const isPayable = reads === notPaid;
  expect(text.includes('Go to payment')).toBe(isPayable);
  const { location } = await buyer.press();
  expect(location).toBe(isPayable ? payUrl : shop.stack.publicUrl + buyer.orderPath);
}

// prettier-ignore
const starting: readonly (readonly [situation: string, happens: Step, status: number, reads: string])[] = [
  ['works',                                        () => undefined,                                                      303, ''],
  ['fails once, and would repeat it for a day',    fails({ kind: '500', times: 1 }),                                     303, ''],
  ['fails once, after a session was made',         fails({ kind: '500', when: 'after', times: 1 }),                      303, ''],
  ['fails',                                        fails({ kind: '500' }),                                               503, tryAgain],
  ['is down',                                      fails({ kind: 'break' }),                                             503, tryAgain],
  ['has too many requests',                        fails({ kind: '429' }),                                               503, tryAgain],
  ['does not answer',                              fails({ kind: 'time out' }),                                          503, tryAgain],
  ['does not answer, after a session was made',    fails({ kind: 'time out', when: 'after' }),                           503, tryAgain],
  ['does not know our key',                        fails({ kind: '401' }),                                               409, notSold],
  ['does not let our key create sessions',         allowed({ checkout_sessions: 'read' }),                               409, notSold],
];

describe('an order that is started, when Stripe', () => {
  it.each(starting)('%s', async (_situation, happens, status, reads) => {
    const buyer = await shop.newBuyer();
    happens(shop, buyer);
    const page = await buyer.press();
    expect(page.status).toBe(status);
    expect(page.text).toContain(reads);
    shop.calm();
    // The same button works as soon as Stripe does.
    expect((await buyer.press()).location).toBe((await buyer.shownSession()).url);
  });
});

describe('an order whose session', () => {
  it.each(session)('%s', (...row) => check(row));
});

describe('a payment with', () => {
  it.each(amounts)('%s', (...row) => check(row));
});

describe('a payment, when', () => {
  it.each(returned)('%s', (...row) => check(row));
});

describe('a payment that was made', () => {
  it.each(differing)('%s', (...row) => check(row));
});

describe('a payment in another currency, when an operator', () => {
  it.each(decided)('%s', async (_decision, decide, reads, credits, operator) => {
    const buyer = await shop.newBuyer();
    await buyer.press();
    Object.assign(buyer.session, { currency: 'eur' });
    shop.standIn.payments.pay(buyer.session.id, 'card');
    expect((await buyer.look()).text).toContain(review);
    await decide(buyer);
    expect((await buyer.look()).text).toContain(reads);
    expect(await buyer.balance()).toBe(credits);
    expect(await buyer.operatorSees()).toBe(operator);
  });
});

describe('an order, when Stripe', () => {
  it.each(failing)('%s', (...row) => check(row));
});

describe('an order, when our key may not', () => {
  it.each(forbidden)('%s', (...row) => check(row));
});
