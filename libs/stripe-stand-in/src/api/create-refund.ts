import { type Books } from '../books/books.js';
import { type Refund } from '../books/objects.js';
import { type FormTree, textAt, textsAt } from './form.js';
import { amountAt, invalid, refuseUnknown } from './parameters.js';

const known = new Set(['amount', 'charge', 'expand', 'metadata', 'payment_intent', 'reason']);
const reasons = new Set(['duplicate', 'fraudulent', 'requested_by_customer']);

/** `POST /v1/refunds`: of a payment intent or a charge; a part, or what is left. */
export function createRefund({ records, returns }: Books, form: FormTree): Refund {
  refuseUnknown(form, known);
  const amount = amountAt(form, 'amount');
  const reason = textAt(form, 'reason') ?? null;
  if (reason !== null && !reasons.has(reason)) throw invalid('reason', `Invalid reason: ${reason}`);
  const charge = textAt(form, 'charge');
  const intent = textAt(form, 'payment_intent');
  if (intent === undefined && charge === undefined) {
    throw invalid(
      'payment_intent',
      'One of the following params should be provided: payment_intent or charge.',
    );
  }
  return returns.refund(intent ?? records.charge(charge ?? '').payment_intent, amount, {
    metadata: textsAt(form, 'metadata'),
    reason,
  });
}
