import { type OrderView, refreshOrder } from '@app/contracts';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const order: OrderView = {
  id: '01a20655-0306-744a-aae4-2e611b064ade',
  pack: 'builder',
  credits: 500,
  price_cents: 14_900,
  state: 'granted',
  ordered_at: '2026-03-01T11:58:00.000Z',
  granted_at: '2026-03-01T12:00:00.000Z',
  expires_at: '2026-03-31T12:00:00.000Z',
  receipt_url: 'https://pay.stripe.com/receipts/1',
  returned_cents: 0,
  credits_taken_back: 0,
  credits_not_recovered: 0,
};
const path = `/account/buy/${order.id}/receipt`;

const account = ScriptedAccount.forSuite({
  SELLER: 'Search B.V.; Keizersgracht 1, Amsterdam; VAT NL001',
});

const script = (change: Partial<OrderView>): void => {
  account.api.services.on(refreshOrder, () => ({ ...order, ...change }));
};

it('a receipt says who paid what to whom, when, and for which order', async () => {
  script({});
  const page = await account.member('member').get(path);
  expect(page.status).toBe(200);
  const money = [order.id, '$149.00', '1 Mar 2026, 12:00 UTC', 'Builder', '500 credits'];
  const people = ['Weitblick Marketing', 'Search B.V.', 'Keizersgracht 1, Amsterdam', 'VAT NL001'];
  for (const part of [...money, ...people]) expect(page.text).toContain(part);
  expect(page.html).toContain('href="https://pay.stripe.com/receipts/1"');
  expect(page.text).not.toContain('Returned');
});

it('a receipt says what went back', async () => {
  script({ returned_cents: 7_450, receipt_url: null });
  const page = await account.member().get(path);
  expect(page.text).toMatch(/Returned\s+\$74\.50/);
  expect(page.text).toMatch(/Remaining amount\s+\$74\.50/);
  expect(page.text).not.toContain('Stripe');
});

it('a receipt says what was paid with its discount and tax, and the rest', async () => {
  const paid = { subtotal_cents: 14_900, discount_cents: 1_490, tax_cents: 2_548, total_cents: 15_958 };
  script({ paid, returned_cents: 7_979 });
  const { text } = await account.member().get(path);
  expect(text).toContain('$159.58 paid on 1 Mar 2026');
  expect(text).toContain('Price $149.00 Discount -$14.90 Tax $25.48 Amount $159.58 (US dollars)');
  expect(text).toContain('Returned $79.79 Remaining amount $79.79');
});

it.each([
  ['that is not paid', 'open'],
  ['that is in review', 'in_review'],
  ['that has expired', 'expired'],
] as const)('an order %s has none', async (_which, state) => {
  script({ state, granted_at: null, expires_at: null });
  expect((await account.member().get(path)).status).toBe(404);
});

it('the page of a paid order and the list of orders lead to it', async () => {
  script({});
  expect((await account.member().get(`/account/buy/${order.id}`)).html).toContain(`href="${path}"`);
  expect((await account.member().get('/account/buy')).html).toContain(
    `href="/account/buy/${account.orderId}/receipt"`,
  );
});
