import {
  describeSelling,
  findInvoicePages,
  openInvoiceDetails,
  type OrderView,
  refreshOrder,
  ServiceError,
} from '#contracts';
import { type ShownPage } from '#testing';
import { v7 as uuidv7 } from 'uuid';
import { ScriptedAccount } from './fixtures/scripted-account.fixture.js';

const account = ScriptedAccount.forSuite();
const id = uuidv7();
const path = `/account/buy/${id}`;
const order: OrderView = {
  id,
  pack: 'trial',
  credits: 50,
  price_cents: 1_900,
  state: 'granted',
  ordered_at: '2026-03-01T12:00:00.000Z',
  granted_at: '2026-03-01T12:00:00.000Z',
  expires_at: '2026-03-31T12:00:00.000Z',
  receipt_url: null,
  returned_cents: 0,
  credits_taken_back: 0,
  credits_not_recovered: 0,
};

function script(change: Partial<OrderView>): void {
  account.api.services.on(refreshOrder, () => ({ ...order, ...change }));
}

const show = (below = '', role: 'owner' | 'member' = 'owner'): Promise<ShownPage> =>
  account.member(role).get(path + below);

describe('an invoice', () => {
  const stripe = 'https://invoice.stripe.com/i/acct_1/live_1';
  const pdf = 'https://pay.stripe.com/invoice/acct_1/live_1/pdf';

  it('is on the page of the order by its number, with the ways to Stripe and to its PDF', async () => {
    script({ invoice: { number: 'A-0042' } });
    for (const role of ['owner', 'member'] as const) {
      const page = await show('', role);
      expect(page.text).toContain('Invoice A-0042');
      expect(page.html).toContain(`href="${path}/invoice"`);
      expect(page.html).toContain(`href="${path}/invoice.pdf"`);
    }
    expect((await show('/receipt')).text).toContain('Invoice A-0042');
    expect((await account.member().get('/account/buy')).html).toContain(
      `href="/account/buy/${account.orderId}/invoice"`,
    );
  });

  it('that is not ready is announced, and not linked', async () => {
    script({ invoice: { number: null } });
    const page = await show();
    expect(page.text).toContain('Invoice Not ready yet. Reload this page in a minute.');
    expect(page.html).not.toContain('/invoice"');
  });

  it.each([null, undefined])('is not mentioned when there is none: %j', async (invoice) => {
    script(invoice === undefined ? {} : { invoice });
    expect((await show()).text).not.toContain('Invoice');
  });

  it.each([
    ['/invoice', { page_url: stripe, pdf_url: pdf }, stripe],
    ['/invoice.pdf', { page_url: stripe, pdf_url: pdf }, pdf],
    ['/invoice', { page_url: null, pdf_url: null }, path],
  ])('%s leads to the page that Stripe names now: %j', async (below, pages, target) => {
    account.api.services.on(findInvoicePages, ({ order_id }) => {
      expect(order_id).toBe(id);
      return pages;
    });
    const page = await show(below, 'member');
    expect([page.status, page.location]).toEqual([303, target]);
  });

  it('of another account is not there', async () => {
    account.api.services.on(findInvoicePages, () => {
      throw new ServiceError('not_found', 'This order has no invoice.');
    });
    expect((await show('/invoice')).status).toBe(404);
  });
});

describe('the details of invoices', () => {
  const details = '/account/buy/invoice-details';

  it('are changed by owners, at Stripe, which leads back to the page', async () => {
    const url = 'https://billing.stripe.com/p/session/live_1';
    account.api.services.on(openInvoiceDetails, ({ pages_url }) => {
      expect(pages_url).toBe(`${account.api.origin}/account`);
      return { url };
    });
    expect((await account.member().get('/account/buy')).html).toContain(`href="${details}"`);
    const page = await account.member().get(details);
    expect([page.status, page.location]).toEqual([303, url]);
  });

  it('are none of a member who is not an owner', async () => {
    expect((await account.member('member').get('/account/buy')).html).not.toContain(details);
    expect((await account.member('member').get(details)).status).toBe(403);
  });

  it('are not offered where no invoices are made, and say why when Stripe refuses', async () => {
    account.api.services.on(describeSelling, () => ({
      is_open: true,
      is_test: false,
      checkout_origin: 'https://checkout.stripe.com',
    }));
    expect((await account.member().get('/account/buy')).text).not.toContain('You get an invoice');
    account.api.services.on(openInvoiceDetails, () => {
      throw new ServiceError('conflict', 'The details of your invoices cannot be changed at the moment.');
    });
    const page = await account.member().get(details);
    expect(page.status).toBe(409);
    expect(page.text).toContain('cannot be changed at the moment');
  });
});
