import { Logger } from '@nestjs/common';
import { ReviewedOrdersService } from './operators/reviewed-orders.service.js';
import { OrdersService } from './orders.service.js';
import { type Started, useShop } from './shop.fixture.js';

const shop = useShop({ invoices: true, automaticTax: true });
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

jest.spyOn(Logger.prototype, 'error').mockReturnValue();
jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
afterAll(() => jest.restoreAllMocks());

const invoiceOf = ({ sessionId }: Started): string => shop.standIn.records.session(sessionId).invoice ?? '';

/** An order whose invoice is a draft as long as the test wants it. */
async function paidWithDraft(): Promise<Started> {
  await shop.at(0);
  shop.standIn.invoicing.isSlow = true;
  return shop.paid();
}

describe('the invoice of a paid order', () => {
  it('is made out to the company that the buyer has entered, and its page at Stripe takes the place of the receipt', async () => {
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
    const { receipt_url, ...view } = await shop.comeBack(order);
    expect(view).toMatchObject({ state: 'granted', invoice: { number } });
    const text = await (await fetch(receipt_url ?? '')).text();
    for (const part of [`Invoice ${number ?? ''}`, 'Acme GmbH', 'DE123456789']) expect(text).toContain(part);
    const reviewed = await shop.replica(1).get(ReviewedOrdersService).show(order.orderId);
    expect(reviewed.invoice).toEqual({ number });
  });

  it('appears by itself when it is finalized after its credits were granted', async () => {
    const order = await paidWithDraft();
    expect(await shop.comeBack(order)).toMatchObject({ state: 'granted', invoice: { number: null } });
    expect((await shop.view(order)).receipt_url).toContain('/receipts/');
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
    });
    session.invoice = id;
    const { number } = shop.standIn.invoicing.finalize(id);
    await shop.reconcile();
    expect(await shop.order(order)).toMatchObject({ invoiceNumber: null });
    await shop.at(hourMs);
    await shop.reconcile();
    expect(await shop.order(order)).toMatchObject({
      invoiceNumber: number,
      invoicePending: false,
    });
  });

  it('delays no credits when the key may not read it, and appears once it may', async () => {
    const order = await shop.paid();
    await shop.at(0);
    shop.standIn.permissions.restrict({ invoices: 'none' });
    expect(await shop.comeBack(order)).toMatchObject({ state: 'granted', invoice: { number: null } });
    shop.standIn.permissions.restrict({});
    await shop.at(hourMs);
    await shop.reconcile();
    expect((await shop.order(order)).invoiceNumber).toMatch(/^STANDIN-/);
  });

  it('keeps its number and page when it cannot be read at a refund', async () => {
    const order = await shop.granted();
    const { invoiceNumber, receiptUrl } = await shop.order(order);
    expect(invoiceNumber).toMatch(/^STANDIN-/);
    shop.standIn.failures.add({ kind: '500', operation: 'get_invoice' });
    await shop.refund(order, 2_980);
    const after = { returnedCents: 2_980, invoiceNumber, invoicePending: false, receiptUrl };
    expect(await shop.order(order)).toMatchObject(after);
  });

  it('is not shown by an address that is not of Stripe', async () => {
    const order = await shop.paid();
    const invoice = shop.standIn.records.invoice(invoiceOf(order));
    invoice.hosted_invoice_url = 'https://invoice.stripe.com.evil.example/i/1';
    expect(await shop.comeBack(order)).toMatchObject({ state: 'granted', receipt_url: null });
  });

  it('is asked for again by a view after 25 days, because its address expires', async () => {
    const order = await shop.paid();
    await shop.at(0);
    await shop.comeBack(order);
    const fresh = `${shop.standIn.url}/invoices/fresh`;
    shop.standIn.records.invoice(invoiceOf(order)).hosted_invoice_url = fresh;
    await shop.at(25 * dayMs - 1);
    expect((await shop.view(order)).receipt_url).not.toBe(fresh);
    await shop.at(25 * dayMs);
    expect((await shop.view(order)).receipt_url).toBe(fresh);
  });
});

it('the pages can say that invoices are made', () => {
  expect(shop.replica(0).get(OrdersService).selling()).toMatchObject({ makes_invoices: true });
});
