import { type OrderView, refreshOrder, ServiceError, startOrder } from '#contracts';
import { type ShownPage } from '#testing';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const pay = 'Go to payment';
const doNotPayAgain = 'do not pay again';
const notCharged = /nothing was (taken|ordered|paid)|not charged/i;
const now = () => new Date().toISOString();

const account = ScriptedAccount.forSuite({ SALES_EMAIL: 'sales@search.example' });
const path = `/account/buy/${account.orderId}`;

function script(change: Partial<OrderView>): void {
  account.site.services.on(refreshOrder, () => account.order(change));
}

const show = (below = '', role: 'owner' | 'member' = 'owner'): Promise<ShownPage> =>
  account.member(role).get(path + below);

describe('the page of an order, after paying', () => {
  it('reloads by itself while the payment is not known, and offers no second one', async () => {
    script({});
    const page = await show('?returned=1');
    expect(page.html).toContain(`<meta http-equiv="refresh" content="5;url=${path}?returned=2"`);
    expect(page.text).toContain('We are checking your payment.');
    expect(page.text).not.toContain(pay);
  });

  it.each(['', '?returned=12', '?returned=0', '?returned=<b>'])(
    'stays as it is after a minute, and for everyone who did not come from paying: %j',
    async (query) => {
      script({});
      const page = await show(query);
      expect(page.html).not.toContain('http-equiv');
      expect(page.text).toContain(pay);
    },
  );
});

const granted = {
  state: 'granted',
  granted_at: '2026-03-01T12:00:00.000Z',
  expires_at: '2026-03-31T12:00:00.000Z',
} as const;
const taxed = { subtotal_cents: 1_900, discount_cents: 190, tax_cents: 325, total_cents: 2_035 };
const free = { subtotal_cents: 1_900, discount_cents: 1_900, tax_cents: 0, total_cents: 0 };

describe('the page of an order says what is certain', () => {
  it.each<[Partial<OrderView>, ...string[]]>([
    [{}, 'No payment has arrived', pay, 'Price $19'],
    [{ is_checked: false }, 'We could not check whether this order is paid', doNotPayAgain, 'Check again'],
    [{ state: 'processing' }, 'Payment is processing', 'You do not need to pay again'],
    [
      { state: 'in_review', paid: taxed },
      'are reviewing it',
      'You do not need to pay again',
      'sales@search.example',
    ],
    [granted, 'Paid $19', 'Credits added', 'Credits expire 31 Mar 2026', 'after 30 days', 'Order number'],
    [{ ...granted, paid: taxed }, 'Price $19', 'Discount -$1.90', 'Tax $3.25', 'Paid $20.35'],
    [
      { ...granted, granted_at: now(), paid: free },
      'A discount covered the whole price',
      'Free of charge',
      'Paid $0',
    ],
    [
      { ...granted, paid: taxed, returned_cents: 1_000, credits_taken_back: 24 },
      '$10 of $20.35 returned, 24 credits taken back',
    ],
    [{ ...granted, paid: taxed, returned_cents: 2_035 }, ' Refunded '],
    [{ state: 'refunded', paid: taxed, returned_cents: 2_035 }, 'This order was refunded', 'Buy credits'],
    [{ state: 'expired' }, 'not paid in time. You were not charged', 'Buy credits'],
    [{ state: 'failed' }, 'The payment failed, so no credits were added', 'Buy credits'],
  ])('%j', async (change, ...words) => {
    script(change);
    const page = await show();
    for (const part of [...words, account.orderId]) expect(page.text).toContain(part);
    const { state, is_checked } = account.order(change);
    expect(page.text.includes(pay)).toBe(is_checked && state === 'open');
    expect(notCharged.test(page.text)).toBe(is_checked && state === 'expired');
  });

  it.each([
    [null, 'Receipt'],
    [{ number: null }, 'Receipt'],
    [{ number: 'A-0042' }, 'Invoice'],
  ])("and leads to Stripe's receipt, or to the invoice %j", async (invoice, words) => {
    script({ ...granted, receipt_url: 'https://pay.stripe.com/1', invoice });
    const page = await show('', 'member');
    expect(page.html).toContain(`<a href="https://pay.stripe.com/1">${words}</a>`);
    expect(page.text.includes('Not ready yet')).toBe(invoice?.number === null);
  });

  it.each([
    ['a member who is no owner', 'member', true],
    ['an owner, while selling is off', 'owner', false],
  ] as const)('and offers no payment to %s', async (_who, role, is_open) => {
    script({});
    account.scriptSelling({ is_open });
    const page = await show('', role);
    expect(page.text).toContain('No payment has arrived');
    expect(page.text).not.toContain(pay);
    script({ state: 'expired' });
    expect(/class="button[^>]*>Buy credits/.test((await show('', role)).html)).toBe(role === 'owner');
  });
});

it.each([
  [true, 'US dollars, plus tax where it applies.'],
  [false, 'US dollars.'],
])('says whether tax may come on top of prices: %s', async (adds_tax, words) => {
  account.scriptSelling({ adds_tax });
  expect((await account.member().get('/account/buy')).text).toContain(`Prices are in ${words}`);
});

describe('an order that cannot be started', () => {
  it.each<['unavailable' | 'deadline_exceeded' | 'conflict', string, OrderView | null, number]>([
    ['unavailable', 'was never written', null, 503],
    ['deadline_exceeded', 'was written without a page to pay on', account.order(), 503],
    ['unavailable', 'may have been paid', account.order({ is_checked: false }), 303],
    ['deadline_exceeded', 'is being paid', account.order({ state: 'processing' }), 303],
    ['unavailable', 'is paid', account.order(granted), 303],
    ['conflict', 'needs an operator', null, 409],
  ])(
    '%s: says that the buyer was not charged only when that is certain: it %s',
    async (code, _what, known, status) => {
      const visitor = account.member();
      const form = (await visitor.get('/account/buy')).form('/account/buy', { pack: 'trial' });
      const { order_id: id } = form.fields;
      account.site.services.refuse(startOrder, code, 'Credits cannot be bought at the moment.');
      account.site.services.on(refreshOrder, ({ order_id }) => {
        if (known) return { ...known, id: order_id };
        throw new ServiceError('not_found', 'There is no order with this id.');
      });
      const sent = await visitor.submit(form);
      expect(sent.status).toBe(status);
      expect(notCharged.test(sent.text)).toBe(status === 503);
      if (status === 303) return expect(sent.location).toBe(`/account/buy/${id}`);
      const again = sent.form('/account/buy', { pack: 'trial' }).fields.order_id;
      expect(again === id).toBe(status === 503);
      expect(sent.text.includes('Credits cannot be bought at the moment.')).toBe(status === 409);
    },
  );
});
