import { type Books, Invoicing, Payments, Records, Returns } from '#stripe-stand-in';
import { ledgerRuns } from '#testing';
import fc from 'fast-check';
import { readPayment } from '../provider/read-payment.js';
import { type Answer, applyPaymentState, type StoredOrder } from '../rules/apply-payment-state.js';
import { applyShopEvent, type ShopEvent, shopEvents, truthOf } from './shop-events.fixture.js';

/** A question to Stripe reads the payment as it is then; its answer comes later, after those of later questions, or never. */
type Step =
  | { readonly kind: 'ask' }
  | { readonly kind: 'answer'; readonly which: number }
  | { readonly kind: 'lose'; readonly which: number };

const steps: fc.Arbitrary<ShopEvent | Step> = fc.oneof(
  { weight: 3, arbitrary: shopEvents },
  { weight: 3, arbitrary: fc.constant<Step>({ kind: 'ask' }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('answer' as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose' as const), which: fc.nat(9) }) },
);

const { runs, seed } = ledgerRuns(2_000);

/** An order in memory that follows the books of a stand-in. */
class FollowedOrder {
  private readonly records = new Records();
  private readonly invoicing = new Invoicing(this.records, () => 'http://localhost');
  private readonly payments = new Payments(this.records, () => 'http://localhost', this.invoicing);
  private readonly books: Books = {
    records: this.records,
    invoicing: this.invoicing,
    payments: this.payments,
    returns: new Returns(this.records),
  };
  private readonly session = this.payments.create({
    ...{ amount: 14_900, currency: 'usd', success_url: 'https://site.example' },
    client_reference_id: null,
    metadata: { order_id: 'order-1' },
  });
  private asked = 0;
  private answers: Answer[] = [];
  grants = 0;
  order: StoredOrder = {
    ...{ id: 'order-1', state: 'open', priceCents: 14_900, totalCents: null, returnedCents: 0 },
    ...{ checkoutSessionId: null, refreshApplied: 0, problem: null, problemSessions: [], resolution: null },
  };

  take(step: ShopEvent | Step): void {
    if (step.kind === 'ask') this.answers.push({ number: ++this.asked, payment: this.read() });
    else if (step.kind === 'lose') this.pick(step.which);
    else if (step.kind === 'answer') this.apply(this.pick(step.which));
    else applyShopEvent(this.books, this.session, step);
  }

  /** One more question gets its answer, and then those before it. */
  finish() {
    this.take({ kind: 'ask' });
    while (this.answers.length > 0) this.apply(this.answers.pop());
    return truthOf(this.books, this.session.id);
  }

  private pick(which: number): Answer | undefined {
    return this.answers.splice(which % Math.max(1, this.answers.length), 1)[0];
  }

  private read(): Answer['payment'] {
    const { paymentIntents, refunds, disputes } = this.records;
    const payment_intent = paymentIntents.get(this.session.payment_intent ?? '') ?? null;
    const returns = { refunds: [...refunds.values()], disputes: [...disputes.values()] };
    return structuredClone(readPayment({ ...this.session, payment_intent }, returns));
  }

  private apply(answer?: Answer): void {
    const change = answer && applyPaymentState(this.order, answer, { isLive: false });
    if (!change || change.kind === 'ignored') return;
    this.order = { ...this.order, refreshApplied: answer.number };
    if (change.kind === 'nothing') return;
    if (change.kind === 'second_payment') throw new Error('no order is paid twice');
    const { state, amounts, returnedCents, review } = change;
    const checkoutSessionId = answer.payment.sessionId;
    const totalCents = amounts?.totalCents ?? this.order.totalCents;
    this.order = { ...this.order, ...review, state, checkoutSessionId, totalCents, returnedCents };
    if (change.isGranted) this.grants += 1;
  }
}

it('the rules grant what is paid once, and follow what goes back, in any order of events and answers', () => {
  const histories = fc.array(steps, { minLength: 5, maxLength: 40, size: 'max' });
  const property = fc.property(histories, (history) => {
    const followed = new FollowedOrder();
    for (const step of history) {
      followed.take(step);
      if (followed.grants > 1) throw new Error('granted twice');
    }
    const { isPaid, unpaidState, returnedCents } = followed.finish();
    expect([followed.grants, followed.order.state, followed.order.returnedCents]).toEqual(
      isPaid ? [1, 'granted', returnedCents] : [0, unpaidState, 0],
    );
  });
  fc.assert(property, { numRuns: runs, seed });
}, 3_600_000);
