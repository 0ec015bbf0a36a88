import { Invoicing } from './invoicing.js';
import { type NewSession, type PriceChanges, Payments } from './payments.js';
import { Records } from './records.js';
import { type NewDispute, Returns } from './returns.js';

let records: Records;
let payments: Payments;
let returns: Returns;
let invoicing: Invoicing;

beforeEach(() => {
  records = new Records();
  invoicing = new Invoicing(records, () => 'http://stand-in.example');
  payments = new Payments(records, () => 'http://stand-in.example', invoicing);
  returns = new Returns(records);
});

function order(changes: Partial<NewSession> = {}): string {
  const needed = { amount: 14_900, currency: 'usd', success_url: 'http://shop.example', metadata: {} };
  return payments.create({ ...needed, client_reference_id: null, ...changes }).id;
}

const intentOf = (id: string): string => records.session(id).payment_intent ?? '';

function paid(changes?: PriceChanges): string {
  const id = order();
  payments.pay(id, 'card', changes);
  return intentOf(id);
}

describe('a payment', () => {
  it.each([
    ['succeeded', 'paid', 'succeeded'],
    ['failed', 'unpaid', 'requires_payment_method'],
  ] as const)('by a delayed method is completed first, and has %s later', (outcome, status, intent) => {
    const id = order();
    payments.pay(id, 'delayed', { taxPercent: 19 });
    expect(records.session(id)).toMatchObject({ status: 'complete', payment_status: 'unpaid' });
    expect(records.paymentIntent(intentOf(id)).status).toBe('processing');
    payments.settle(id, outcome);
    expect(records.session(id)).toMatchObject({ status: 'complete', payment_status: status });
    expect(records.paymentIntent(intentOf(id))).toMatchObject({ status: intent, amount: 17_731 });
    expect(() => payments.settle(id, outcome)).toThrow('not processing');
  });

  it.each<[PriceChanges, number, number, number]>([
    [{}, 14_900, 0, 0],
    [{ taxPercent: 19 }, 17_731, 0, 2_831],
    [{ discountPercent: 20 }, 11_920, 2_980, 0],
    [{ discountCents: 900 }, 14_000, 900, 0],
    [{ discountPercent: 20, taxPercent: 19 }, 14_185, 2_980, 2_265],
  ])('of $149 with %j is of %d cents', (changes, amount, discount, tax) => {
    const id = order();
    payments.pay(id, 'card', changes);
    expect(records.session(id)).toMatchObject({
      amount_subtotal: 14_900,
      amount_total: amount,
      total_details: { amount_discount: discount, amount_tax: tax },
    });
    expect(records.paymentIntent(intentOf(id)).amount_received).toBe(amount);
    expect(returns.refund(intentOf(id)).amount).toBe(amount);
  });

  it.each([{ discountPercent: 100, taxPercent: 19 }, { discountCents: 20_000 }])(
    'is none when %j covers everything',
    (changes) => {
      const id = order();
      payments.pay(id, 'card', changes);
      expect(records.session(id)).toMatchObject({
        amount_total: 0,
        payment_intent: null,
        payment_status: 'no_payment_required',
        status: 'complete',
      });
    },
  );

  it('has the discount that is entered after a declined card', () => {
    const id = order({ allow_promotion_codes: true });
    payments.pay(id, 'declined card');
    payments.applyPromotionCode(id, 'save20');
    payments.pay(id, 'card');
    expect(records.paymentIntent(intentOf(id))).toMatchObject({ amount: 11_920, amount_received: 11_920 });
  });
});

describe('what goes back', () => {
  it('is refunded up to what was paid; a refund that fails does not count', () => {
    const intent = paid();
    const first = returns.refund(intent, 4_900);
    returns.refund(intent);
    expect(() => returns.refund(intent)).toThrow('already been refunded');
    returns.failRefund(first.id);
    expect([...records.refunds.values()]).toMatchObject([
      { amount: 4_900, status: 'failed' },
      { amount: 10_000, status: 'succeeded' },
    ]);
    expect([...records.charges.values()]).toMatchObject([{ amount_refunded: 10_000, refunded: false }]);
  });

  it('is withdrawn by a dispute, and reinstated when that is won', () => {
    const intent = paid();
    const { id } = returns.dispute(intent);
    expect(() => returns.refund(intent)).toThrow('charged back');
    expect(returns.closeDispute(id, 'won').balance_transactions).toMatchObject([
      { amount: -14_900 },
      { amount: 14_900 },
    ]);
    expect(() => returns.closeDispute(id, 'lost')).toThrow('closed already');
    expect(returns.refund(intent).amount).toBe(14_900);
  });

  it.each<[NewDispute, object[]]>([
    [{ amount: 100 }, [{ amount: -100, currency: 'usd' }]],
    [{ amount: 13_700, currency: 'eur' }, [{ amount: -14_900, currency: 'usd' }]],
    [{ isInquiry: true }, []],
  ])('by a dispute with %j is %j', (given, withdrawn) => {
    const dispute = returns.dispute(paid(), given);
    expect(returns.closeDispute(dispute.id, 'lost').balance_transactions).toMatchObject(withdrawn);
    expect(dispute.status).toBe(given.isInquiry ? 'warning_closed' : 'lost');
  });
});

describe('an invoice', () => {
  const events = (): string[] => [...records.events.values()].map(({ type }) => type);

  function orderOfCustomer(): { readonly sessionId: string; readonly customerId: string } {
    const { id: customerId } = invoicing.createCustomer({ email: 'a@b.example', metadata: {}, name: 'Acme' });
    const on = { enabled: true };
    const asked = { customer: customerId, tax_id_collection: on, invoice_creation: on };
    return { customerId, sessionId: order(asked) };
  }

  it('is made once it is paid, after the event of its session, with what the buyer has entered', () => {
    const { sessionId, customerId } = orderOfCustomer();
    invoicing.enterDetails(sessionId, { name: 'Acme GmbH', country: 'DE', taxId: 'DE123456789' });
    payments.pay(sessionId, 'card', { taxPercent: 19 });
    expect(records.invoice(records.session(sessionId).invoice ?? '')).toMatchObject({
      customer: customerId,
      customer_name: 'Acme GmbH',
      customer_tax_ids: [{ type: 'eu_vat', value: 'DE123456789' }],
      number: 'STANDIN-0001',
      status: 'paid',
      total: 17_731,
    });
    expect(records.customer(customerId)).toMatchObject({ name: 'Acme GmbH', address: { country: 'DE' } });
    expect(events().slice(-2)).toEqual(['checkout.session.completed', 'invoice.paid']);
  });

  it('of a delayed payment is made when the money arrives', () => {
    const { sessionId } = orderOfCustomer();
    payments.pay(sessionId, 'delayed');
    expect(records.session(sessionId).invoice).toBeNull();
    payments.settle(sessionId, 'succeeded');
    expect(events().slice(-2)).toEqual(['checkout.session.async_payment_succeeded', 'invoice.paid']);
  });
});
