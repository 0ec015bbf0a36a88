import { type Buyer, OwnShop } from './support/own-shop.js';

/**
 * What a buyer reads who comes back to an order, how many of the 500 credits they have, and what operators see. No event arrives:
 * billing asks Stripe. All situations of an order: apps/billing/src/orders/order-situations.int-spec.ts.
 */
type Row = readonly [situation: string, happens: Step, reads: string, credits: number, operator: string];
type Step = (books: OwnShop['standIn'], buyer: Buyer) => unknown;

let shop: OwnShop;
beforeAll(async () => (shop = await OwnShop.start()), 120_000);
afterAll(() => shop?.stop());
afterEach(() => shop.calm());

const notPaid = 'No payment has arrived for this order. Just paid?';
const differs = 'paid 14,900 cents in eur, ordered 14,900 in usd';
const pay: Step = ({ payments }, { session }) => payments.pay(session.id, 'card', { taxPercent: 19 });
const payEuro: Step = ({ payments }, { session }) =>
  payments.pay(Object.assign(session, { currency: 'eur' }).id, 'card');

const situations: readonly Row[] = [
  ['it is open', () => undefined, notPaid, 0, 'open'],
  ['it expired', ({ payments }, { session }) => payments.expire(session.id), 'not charged', 0, 'expired'],
  ['it is paid', pay, 'Tax $28.31 Paid $177.31', 500, 'granted'],
  [
    'half is refunded',
    (books, buyer) => {
      pay(books, buyer);
      books.returns.refund(buyer.session.payment_intent ?? '', 8_865);
    },
    '$88.65 of $177.31 returned, 249 credits taken back',
    251,
    'granted',
  ],
  [
    'Stripe is down',
    (books, buyer) => {
      pay(books, buyer);
      books.failures.add({ kind: 'break' });
    },
    'We could not check whether this order is paid',
    0,
    'open',
  ],
  ['it differs', payEuro, 'We received your payment and are reviewing it', 0, `in_review: ${differs}`],
];

it.each(situations)('an order is shown when %s', async (_situation, happens, reads, credits, operator) => {
  const buyer = await shop.newBuyer();
  expect((await buyer.press()).status).toBe(303);
  const payUrl = buyer.session.url;
  happens(shop.standIn, buyer);
  const { text } = await buyer.look();
  expect(text).toContain(reads);
  expect(await buyer.balance()).toBe(credits);
  expect(await buyer.operatorSees()).toBe(operator);
  // A buyer who may have paid does not read otherwise, and is not sent to pay again.
  expect(/nothing was (taken|ordered|paid)|not charged/i.test(text)).toBe(operator === 'expired');
  expect(text.includes('Go to payment')).toBe(reads === notPaid);
  const { location } = await buyer.press();
  expect(location).toBe(reads === notPaid ? payUrl : shop.stack.siteUrl + buyer.orderPath);
});

it('an order whose start failed says so, works as soon as Stripe does, and is granted by an operator', async () => {
  const buyer = await shop.newBuyer();
  shop.standIn.failures.add({ kind: '500' });
  const { status, text } = await buyer.press();
  expect([status, text]).toEqual([
    503,
    expect.stringContaining('You were not charged: try again in a moment.'),
  ]);
  shop.calm();
  const session = () => buyer.shownSession();
  expect((await buyer.press()).location).toBe((await session()).url);
  shop.standIn.payments.pay(Object.assign(await session(), { currency: 'eur' }).id, 'card');
  await buyer.look();
  await buyer.isGranted();
  expect((await buyer.look()).text).toContain('Paid. 500 credits were added to your account.');
  expect(await buyer.operatorSees()).toBe(`granted: ${differs}, resolved as granted`);
});
