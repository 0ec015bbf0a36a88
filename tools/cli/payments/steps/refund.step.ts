import { type CheckRun } from '../check-run.js';
import { formatMoney } from '../../output/format.js';
import { chargeOf, intentOf, pack, readSession } from '../purchase.js';
import { buy } from './buy.step.js';

/** Refunds half of a purchase and reads it as billing does. */
export async function checkRefund(run: CheckRun): Promise<void> {
  const { account, report } = run;
  const paid = await buy(run);
  if (!paid) return;
  const intent = intentOf(paid.session);
  if (!intent) {
    report.notPossible('a refund', 'no payment to refund');
    return;
  }
  const total = paid.session.amount_total ?? 0;
  const amount = Math.floor(total / 2);
  const made = await account.callStripe('refund.half', () =>
    account.api.refunds.create(
      { payment_intent: intent.id, amount },
      { idempotencyKey: `${paid.orderId}-refund` },
    ),
  );
  if (made.kind === 'denied') {
    report.notPossible('a refund', `the key lacks the right "${made.right}"; make refunds in the Dashboard`);
    return;
  }
  if (made.kind === 'refused') {
    report.differs('a refund', `Stripe refuses it: ${made.message}`);
    return;
  }
  report.ok(
    'a refund',
    `${formatMoney(amount)} of ${formatMoney(total)}, ${made.object.status ?? 'without a state'}`,
  );
  await compareReturned(run, { paymentIntentId: intent.id, amount, total });
  await compareCharge(run, paid.session.id, amount);
}

/** What billing adds up of a payment. */
async function compareReturned(run: CheckRun, { paymentIntentId, amount, total }: HalfRefund): Promise<void> {
  const { account, report } = run;
  const list = await account.callStripe('refunds.of-payment', () =>
    account.api.refunds.list({ payment_intent: paymentIntentId, limit: 100 }),
  );
  if (list.kind !== 'object') {
    const why = list.kind === 'denied' ? `your key may not ("${list.right}")` : list.message;
    report.differs('refunds of the payment', `${why}: refunds would take no credits back`);
    return;
  }
  const counted = list.object.data.filter(({ status }) => status !== 'failed' && status !== 'canceled');
  const returned = counted.reduce((sum, refund) => sum + refund.amount, 0);
  report.compare('refunds of the payment, cents', {
    found: returned,
    expected: amount,
    without: 'billing would take back another share of the credits',
  });
  const credits = Math.floor((pack.credits * returned) / total);
  report.ok('credits that billing takes back', `${credits} of ${pack.credits}`);
}

async function compareCharge(run: CheckRun, sessionId: string, amount: number): Promise<void> {
  const read = await readSession(run, 'session.refunded', sessionId);
  if (read.kind !== 'object') return;
  run.report.compare('amount_refunded of the charge', {
    found: chargeOf(intentOf(read.object))?.amount_refunded ?? null,
    expected: amount,
    without: 'the charge and its refunds disagree',
  });
  run.report.compare('payment_status after it', {
    found: read.object.payment_status,
    expected: 'paid',
    without: 'billing would no longer see the order as paid',
  });
}

interface HalfRefund {
  readonly paymentIntentId: string;
  /** Cents. */
  readonly amount: number;
  readonly total: number;
}
