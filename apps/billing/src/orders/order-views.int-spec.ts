import { refreshOrder } from '#contracts';
import { until } from '#testing';
import { Logger } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { dayMs, hourMs } from '../durations.js';
import { times } from '../ledger/ledger.fixture.js';
import { useShop } from './shop.fixture.js';

const shop = useShop();
const unknown = { state: 'open', is_checked: false };

jest.spyOn(Logger.prototype, 'error').mockReturnValue();
jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
afterAll(() => jest.restoreAllMocks());
beforeEach(() => shop.at(0));

it('an unpaid order that is viewed again and again asks Stripe every ten seconds, whichever replica shows it', async () => {
  const order = await shop.started();
  const requests = shop.countRequests();
  const views = times(30, (replica) => shop.view(order, replica));
  for (const { state } of await Promise.all(views)) expect(state).toBe('open');
  // The same form again asks no more than views do.
  for (const replica of [0, 1]) await shop.ask(order.accountId, { ...order, replica });
  expect(requests()).toBe(1);
  shop.standIn.payments.pay(order.sessionId, 'delayed');
  await shop.at(9_999);
  expect(await shop.view(order)).toMatchObject({ state: 'open', is_checked: true });
  expect(requests()).toBe(1);
  await shop.at(10_000);
  expect(await shop.view(order)).toMatchObject({ state: 'processing' });
  expect(await shop.view(order, 1)).toMatchObject({ state: 'processing' });
  expect(requests()).toBe(2);
});

it('while Stripe hangs, four views of a replica wait for it, and the others show what is known', async () => {
  const accountId = await shop.ledger.factory.account();
  const orders = [];
  for (let count = 0; count < 12; count += 1) orders.push(await shop.started(accountId));
  const { held, release } = shop.hold();
  let shown = 0;
  const views = orders.map((order) => shop.view(order).then(() => (shown += 1)));
  await until(() => shown === 8 && held.length === 4);
  release();
  await Promise.all(views);
  expect(held).toHaveLength(4);
});

describe('an order about which Stripe does not answer', () => {
  it('is not called unpaid by an answer that came before, but for 15 seconds', async () => {
    const order = await shop.started();
    const orderUrl = `https://site.example/account/buy/${order.orderId}`;
    expect(await shop.comeBack(order)).toMatchObject({ state: 'open', is_checked: true });
    shop.standIn.failures.add({ kind: '500' });
    await shop.at(9_999);
    expect(await shop.view(order)).toMatchObject({ state: 'open', is_checked: true });
    await shop.at(10_000);
    expect(await shop.view(order)).toMatchObject(unknown);
    await shop.at(15_001);
    expect(await shop.ask(order.accountId, order)).toMatchObject({ order: unknown, checkout_url: orderUrl });
  });

  it('is answered in time, and frees its place', async () => {
    const [paid, known] = [await shop.paid(), await shop.started()];
    const viewed = await Promise.all(times(4, () => shop.started()));
    const orderId = uuidv7();
    await shop.at(3_600_000);
    // What was paid is known, but not what went back of it.
    shop.standIn.intercept(({ path }, run) =>
      path.endsWith(paid.sessionId) ? run() : new Promise(() => undefined),
    );
    const begun = performance.now();
    const [views, granted, started, failed] = await Promise.all([
      Promise.all(viewed.map((order) => shop.comeBack(order))),
      shop.comeBack(paid, 1),
      shop.ask(known.accountId, { ...known, replica: 1 }),
      shop.ask(known.accountId, { orderId }).catch((error: unknown) => error),
    ]);
    expect(performance.now() - begun).toBeLessThan(refreshOrder.deadlineMs - 1_000);
    for (const view of views) expect(view).toMatchObject(unknown);
    expect(granted).toMatchObject({ state: 'granted' });
    expect(started).toMatchObject({ order: unknown });
    expect(failed).toMatchObject({ code: 'unavailable' });
    expect(await shop.order(paid)).toMatchObject({ returnsPending: true });
    shop.reconnect();
    expect(await shop.comeBack(known)).toMatchObject({ state: 'open', is_checked: true });
    // A request without an answer is repeated under its key.
    expect(await shop.ask(known.accountId, { orderId })).toMatchObject({ order: { state: 'open' } });
    expect(await shop.order({ orderId })).toMatchObject({ checkoutAttempts: 1 });
  }, 20_000);
});

describe('the invoice of a paid order', () => {
  const invoiced = useShop({ invoices: true });
  const invoiceOf = (sessionId: string) => invoiced.standIn.records.session(sessionId).invoice ?? '';
  beforeEach(() => invoiced.at(0));

  it('appears in a view, or within an hour, when it is finalized after its credits were granted', async () => {
    invoiced.standIn.invoicing.isSlow = true;
    const [viewed, left] = [await invoiced.paid(), await invoiced.paid()];
    const session = invoiced.standIn.records.session(left.sessionId);
    const late = invoiceOf(left.sessionId);
    session.invoice = null;
    await invoiced.deliverAll();
    session.invoice = late;
    expect(await invoiced.comeBack(viewed)).toMatchObject({ state: 'granted', invoice: { number: null } });
    const { number } = invoiced.standIn.invoicing.finalize(invoiceOf(viewed.sessionId));
    invoiced.standIn.invoicing.finalize(late);
    await invoiced.at(10_000);
    const questions = invoiced.countQuestions();
    expect(await invoiced.view(viewed)).toMatchObject({ invoice: { number } });
    await invoiced.at(hourMs);
    await invoiced.view(viewed);
    expect(questions()).toBe(1);
    await invoiced.reconcile();
    expect((await invoiced.order(left)).invoiceNumber).toMatch(/^STANDIN-/);
  });

  it('delays no credits when the key may not read it, and keeps its number when it cannot be read later', async () => {
    const order = await invoiced.paid();
    invoiced.standIn.permissions.restrict({ invoices: 'none' });
    expect(await invoiced.comeBack(order)).toMatchObject({ state: 'granted', invoice: { number: null } });
    invoiced.standIn.permissions.restrict({});
    await invoiced.at(hourMs);
    await invoiced.reconcile();
    const { invoiceNumber, receiptUrl } = await invoiced.order(order);
    expect(invoiceNumber).toMatch(/^STANDIN-/);
    invoiced.standIn.failures.add({ kind: '500', operation: 'get_invoice' });
    await invoiced.refund(order, 2_980);
    const after = { returnedCents: 2_980, invoiceNumber, invoicePending: false, receiptUrl };
    expect(await invoiced.order(order)).toMatchObject(after);
  });

  it('is shown by addresses of Stripe only, which are asked for again after 25 days, before they expire', async () => {
    const order = await invoiced.paid();
    const invoice = invoiced.standIn.records.invoice(invoiceOf(order.sessionId));
    const fresh = invoice.hosted_invoice_url;
    invoice.hosted_invoice_url = 'https://invoice.stripe.com.evil.example/i/1';
    expect((await invoiced.comeBack(order)).receipt_url).toBeNull();
    invoice.hosted_invoice_url = `${invoiced.standIn.url}/invoices/old`;
    await invoiced.refresh(order);
    invoice.hosted_invoice_url = fresh;
    await invoiced.at(25 * dayMs - 1);
    expect((await invoiced.view(order)).receipt_url).toContain('/invoices/old');
    await invoiced.at(25 * dayMs);
    expect((await invoiced.view(order)).receipt_url).toBe(fresh);
    // An answer that changes nothing is noted too.
    expect((await invoiced.order(order)).answeredAt).toEqual(new Date(Date.UTC(2026, 2, 26, 12)));
  });
});
