import { ServiceError } from '#contracts';
import { Logger } from '@nestjs/common';
import { ReviewedOrdersService } from '../operators/reviewed-orders.service.js';
import { OrdersService } from '../orders.service.js';
import { type Started, useShop } from '../shop.fixture.js';
import { InvoicesService } from './invoices.service.js';

const shop = useShop({ invoices: true, automaticTax: true });
const hourMs = 3_600_000;

jest.spyOn(Logger.prototype, 'error').mockReturnValue();
jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
afterAll(() => jest.restoreAllMocks());

const invoices = (replica = 0) => shop.replica(replica).get(InvoicesService);
const pagesOf = ({ accountId, orderId }: Started) =>
  invoices().findPages({ account_id: accountId, order_id: orderId });
const invoiceOf = ({ sessionId }: Started): string => shop.standIn.records.session(sessionId).invoice ?? '';

/** An order whose invoice is a draft as long as the test wants it. */
async function paidWithDraft(): Promise<Started> {
  await shop.at(0);
  shop.standIn.invoicing.isSlow = true;
  return shop.paid();
}

describe('the invoice of a paid order', () => {
  it('is made out to the company that the buyer has entered, and its pages are those of Stripe', async () => {
    const order = await shop.started();
    expect(shop.standIn.records.session(order.sessionId)).toMatchObject({
      billing_address_collection: 'required',
      invoice_creation: { enabled: true },
      tax_id_collection: { enabled: true },
    });
    expect(await shop.comeBack(order)).toMatchObject({ invoice: null });
    const details = { name: 'Acme GmbH', country: 'DE', taxId: 'DE123456789' };
    shop.standIn.invoicing.enterDetails(order.sessionId, details);
    shop.standIn.payments.pay(order.sessionId, 'card');
    const { number } = shop.standIn.records.invoice(invoiceOf(order));
    expect(await shop.comeBack(order)).toMatchObject({ state: 'granted', invoice: { number } });
    const { page_url, pdf_url } = await pagesOf(order);
    for (const url of [page_url, pdf_url]) {
      const text = await (await fetch(url ?? '')).text();
      for (const part of [`Invoice ${number ?? ''}`, 'Acme GmbH', 'DE123456789']) {
        expect(text).toContain(part);
      }
    }
    const reviewed = await shop.replica(1).get(ReviewedOrdersService).show(order.orderId);
    expect(reviewed.invoice).toEqual({ number });
  });

  it('appears by itself when it is finalized after its credits were granted', async () => {
    const order = await paidWithDraft();
    expect(await shop.comeBack(order)).toMatchObject({ state: 'granted', invoice: { number: null } });
    expect(await pagesOf(order)).toEqual({ page_url: null, pdf_url: null });
    const { number } = shop.standIn.invoicing.finalize(invoiceOf(order));
    expect(await shop.view(order)).toMatchObject({ invoice: { number: null } });
    await shop.at(10_000);
    const questions = shop.countQuestions();
    expect(await shop.view(order)).toMatchObject({ invoice: { number } });
    await shop.at(hourMs);
    expect(await shop.view(order)).toMatchObject({ invoice: { number } });
    expect(questions()).toBe(1);
    expect(await shop.lots(order.accountId)).toMatchObject([{ credits: 500, remaining: 500 }]);
  });

  it('is found within an hour, although nobody looks and Stripe began it late', async () => {
    const order = await paidWithDraft();
    const session = shop.standIn.records.session(order.sessionId);
    const id = invoiceOf(order);
    session.invoice = null;
    await shop.deliverAll();
    expect(await shop.order(order)).toMatchObject({
      state: 'granted',
      invoicePending: true,
      invoiceId: null,
    });
    expect(await pagesOf(order)).toEqual({ page_url: null, pdf_url: null });
    session.invoice = id;
    const { number } = shop.standIn.invoicing.finalize(id);
    await shop.reconcile();
    expect(await shop.order(order)).toMatchObject({ invoiceNumber: null });
    await shop.at(hourMs);
    await shop.reconcile();
    expect(await shop.order(order)).toMatchObject({
      invoiceId: id,
      invoiceNumber: number,
      invoicePending: false,
    });
  });

  it('delays no credits when the key may not read it, and appears once it may', async () => {
    const order = await shop.paid();
    await shop.at(0);
    shop.standIn.permissions.restrict({ invoices: 'none' });
    expect(await shop.comeBack(order)).toMatchObject({ state: 'granted', invoice: { number: null } });
    await expect(pagesOf(order)).rejects.toMatchObject({ code: 'unavailable' });
    shop.standIn.permissions.restrict({});
    await shop.at(hourMs);
    await shop.reconcile();
    expect((await shop.order(order)).invoiceNumber).toMatch(/^STANDIN-/);
  });

  it('keeps its number when it cannot be read at a refund', async () => {
    const order = await shop.granted();
    const { invoiceNumber } = await shop.order(order);
    expect(invoiceNumber).toMatch(/^STANDIN-/);
    shop.standIn.failures.add({ kind: '500', operation: 'get_invoice' });
    await shop.refund(order, 2_980);
    const after = { returnedCents: 2_980, invoiceNumber, invoicePending: false };
    expect(await shop.order(order)).toMatchObject(after);
  });

  it('is for its own account only, and not there without one', async () => {
    const order = await shop.granted();
    const stranger = { ...order, accountId: await shop.ledger.factory.account() };
    await expect(pagesOf(stranger)).rejects.toMatchObject({ code: 'not_found' });
    await expect(pagesOf(await shop.started())).rejects.toMatchObject({ code: 'not_found' });
    shop.standIn.records.invoices.clear();
    await expect(pagesOf(order)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not shown by an address that is not of Stripe', async () => {
    const order = await shop.granted();
    const invoice = shop.standIn.records.invoice(invoiceOf(order));
    invoice.hosted_invoice_url = 'https://invoice.stripe.com.evil.example/i/1';
    expect(await pagesOf(order)).toEqual({ page_url: null, pdf_url: invoice.invoice_pdf });
  });

  it('is in the notice of the payment by its number, or announced', async () => {
    const numberIn = async (order: Started): Promise<unknown[]> => {
      await shop.ledger.query('DELETE FROM notices');
      await shop.comeBack(order);
      const sql = `SELECT data->'invoice_number' AS number FROM notices WHERE data ? 'invoice_number'`;
      return shop.ledger.query(sql);
    };
    const paid = await shop.paid();
    const { number } = shop.standIn.records.invoice(invoiceOf(paid));
    expect(await numberIn(paid)).toEqual([{ number }]);
    expect(await numberIn(await paidWithDraft())).toEqual([{ number: null }]);
  });
});

describe('the details of invoices', () => {
  const open = (account_id: string, replica = 0) =>
    invoices(replica).openDetails({ account_id, pages_url: 'https://site.example/account' });

  it('are changed in the portal of Stripe, also before the first purchase', async () => {
    const accountId = await shop.ledger.factory.account();
    const url = await open(accountId);
    expect(new URL(url).origin).toBe(shop.standIn.url);
    await shop.ask(accountId);
    expect([...shop.standIn.records.customers.keys()]).toEqual([shop.sessions[0]?.customer]);
  });

  it('are those of a new customer when Stripe does not know the stored one', async () => {
    const accountId = await shop.ledger.factory.account();
    await open(accountId);
    shop.standIn.records.customers.clear();
    const [customer] = [await open(accountId, 1), ...shop.standIn.records.customers.keys()].slice(1);
    expect(customer).toMatch(/^cus_/);
  });

  it('cannot be changed until the operator has saved the settings of the portal', async () => {
    shop.standIn.records.shop.hasPortal = false;
    const refused = open(await shop.ledger.factory.account());
    await expect(refused).rejects.toBeInstanceOf(ServiceError);
    await expect(refused).rejects.toMatchObject({ code: 'conflict' });
  });
});

it('the pages can say that invoices are made', () => {
  expect(shop.replica(0).get(OrdersService).selling()).toMatchObject({ makes_invoices: true });
});
