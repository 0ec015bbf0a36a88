import { type Mutant } from '../mutant.js';
import { inFunction, inSql } from '../planting/fault.js';

const refresh = 'apps/billing/src/orders/order-refresh.ts';
const transitions = 'apps/billing/src/orders/order-transitions.ts';
const repository = 'apps/billing/src/orders/orders.repository.ts';
const stripe = 'apps/billing/src/orders/provider/stripe-payments.ts';
const checkout = 'apps/billing/src/orders/order-checkout.ts';
const checks = 'apps/billing/src/audit/order-checks.ts';
const byEvents = ['apps/billing/src/orders/payment-events.int-spec.ts'];
const byReceipts = ['apps/billing/src/orders/receipts.int-spec.ts'];
const byUnread = ['apps/billing/src/orders/unread-returns.int-spec.ts'];
const byRefresh = ['apps/billing/src/orders/order-refresh.int-spec.ts'];
const byReviews = ['apps/billing/src/orders/order-reviews.int-spec.ts'];
const byReconciliation = ['apps/billing/src/orders/reconciliation/reconciliation.int-spec.ts'];
const byFailedStarts = ['apps/billing/src/orders/failed-starts.int-spec.ts'];
const byUnanswered = ['apps/billing/src/orders/unanswered-views.int-spec.ts'];
const byPlantedEdits = ['apps/billing/src/audit/planted-order-edits.int-spec.ts'];

export const orders: readonly Mutant[] = [
  {
    name: 'an order is granted without the lock of its account',
    file: refresh,
    fault: inFunction('refresh').replace(
      'this.overdue.runWithAllVoided($ID, $WORK)',
      'this.overdue.transactions.run([], $WORK)',
    ),
    killedBy: byRefresh,
  },
  {
    name: 'a granted order is granted again',
    file: transitions,
    fault: inFunction('make').replace('$ISGRANTED ? $GRANT : {}', '$GRANT'),
    killedBy: byEvents,
  },
  {
    name: 'questions about an order are not numbered',
    file: repository,
    fault: inSql('refreshes = refreshes + 1').replaceWith('refreshes = refreshes'),
    killedBy: byEvents,
  },
  {
    name: 'a refund is taken twice',
    file: 'apps/billing/src/orders/returned-credits.ts',
    fault: inFunction('settle').replace(
      '({ returnedCents, creditsTakenBack, creditsNotRecovered })',
      '{ returnedCents, creditsNotRecovered: 0, creditsTakenBack: order.creditsTakenBack }',
    ),
    killedBy: ['apps/billing/src/orders/returned-credits.int-spec.ts'],
  },
  {
    name: 'an order gets a second session when billing was killed',
    file: stripe,
    fault: inFunction('createCheckout').replace('({ ...$LIMITS, idempotencyKey: $ID })', '{ ...$LIMITS }'),
    killedBy: ['apps/billing/src/orders/outages/killed-purchases.int-spec.ts'],
    test: 'loses nothing and counts nothing twice',
  },
  {
    name: 'a failure of Stripe is repeated for a day: every attempt has the same key',
    file: stripe,
    fault: inFunction('createCheckout').replace('`${order.id}-${order.attempt}`', 'order.id'),
    killedBy: byFailedStarts,
  },
  {
    name: 'an attempt that has failed is begun again',
    file: checkout,
    fault: inFunction('OrderCheckout.create').replace(
      'this.orders.endAttempt($$$)',
      'Promise.resolve(attempt)',
    ),
    killedBy: byFailedStarts,
  },
  {
    name: 'one failed attempt counts for everyone who has seen it fail',
    file: repository,
    fault: inSql('id = $1 AND checkout_attempts = $2').replaceWith('id = $1 AND $2 > 0'),
    killedBy: byFailedStarts,
  },
  {
    name: 'a later session takes the place of the one that was shown',
    file: checkout,
    fault: inFunction('OrderCheckout.keep').remove(
      'if (known.checkoutSessionId !== null && $OTHER) return known;',
    ),
    killedBy: byFailedStarts,
  },
  {
    name: 'an order that may have been paid is offered to be paid again',
    file: 'apps/billing/src/orders/orders.service.ts',
    fault: inFunction('OrdersService.start').replace(
      "order.state === 'open' && isChecked(order, now)",
      "order.state === 'open'",
    ),
    killedBy: byUnanswered,
  },
  {
    name: 'an order is as Stripe said long ago',
    file: 'apps/billing/src/orders/order-view.ts',
    fault: inFunction('isChecked').replace('now.getTime() - answeredAt.getTime() <= freshMs', 'true'),
    killedBy: byUnanswered,
  },
  {
    name: 'a view waits for Stripe for as long as it takes',
    file: 'apps/billing/src/orders/provider/request-budget.ts',
    fault: inFunction('RequestBudget.run').replace('leftMs <= 0', 'false'),
    killedBy: ['apps/billing/src/orders/provider/request-budget.spec.ts'],
  },
  {
    name: 'a payment is not told of',
    file: transitions,
    fault: inFunction('grant').remove('await this.notices.paymentReceived($$$);'),
    killedBy: byReceipts,
  },
  {
    name: 'a payment is told of although its grant may fail',
    file: transitions,
    fault: inFunction('grant').replace(
      'this.notices.paymentReceived(locked, $PAYMENT)',
      'this.notices.transactions.run([], (other) => this.notices.paymentReceived(other, $PAYMENT))',
    ),
    killedBy: byReceipts,
  },
  {
    name: 'an unpaid order is forgotten after 35 days',
    file: repository,
    fault: inSql("checked_at <= (SELECT ledger_now()) - interval '1 day' OR").remove(),
    killedBy: byReconciliation,
  },
  {
    name: 'operators who decide at once are not kept apart',
    file: 'apps/billing/src/orders/order-reviews.ts',
    fault: inFunction('resolve').replace(
      'this.overdue.runWithAllVoided($ID, $WORK, $OPTIONS)',
      'this.overdue.transactions.run([], $WORK, $OPTIONS)',
    ),
    killedBy: byReviews,
  },
  {
    name: 'an order that an operator grants keeps the credits of what went back before',
    file: transitions,
    fault: inFunction('make').replace('$ISGRANTED ? 0 : order.returnedCents', 'order.returnedCents'),
    killedBy: byReviews,
  },
  {
    name: 'operators are told of what differs at each answer',
    file: refresh,
    fault: inFunction('report').remove('if (!isNew) return;'),
    killedBy: byReviews,
  },
  {
    name: 'a second payment is not kept for an operator',
    file: refresh,
    fault: inFunction('OrderRefresh.apply').remove(
      'await this.orders.change(locked, order.id, reviewed($$$));',
    ),
    killedBy: byReviews,
  },
  {
    name: 'who has paid waits until refunds and disputes can be read',
    file: 'apps/billing/src/orders/provider/unreadable.ts',
    fault: inFunction('ifReadable').replace('return null;', 'throw error;'),
    killedBy: byUnread,
  },
  {
    name: 'a permission that is missing is told of twice',
    file: 'apps/billing/src/orders/provider/unreadable.ts',
    fault: inFunction('ifReadable').replace(
      "!(error instanceof ProviderFailure && error.failure === 'refused')",
      'true',
    ),
    killedBy: byUnread,
  },
  {
    name: 'a dispute in another currency is told of at each answer',
    file: refresh,
    fault: inFunction('OrderRefresh.apply').replace('change.returnedCents > order.returnedCents', 'true'),
    killedBy: ['apps/billing/src/orders/paid-amounts.int-spec.ts'],
  },
  {
    name: 'a key that may not read payments grants nothing',
    file: stripe,
    fault: inFunction('sessionWithPayment').replace('if (!isForbidden(error)) throw error;', 'throw error;'),
    killedBy: byUnread,
  },
  {
    name: 'the audit does not see amounts that do not add up',
    file: checks,
    fault: inSql(
      'OR total_cents NOT BETWEEN subtotal_cents - discount_cents AND subtotal_cents - discount_cents + tax_cents',
    ).remove(),
    killedBy: byPlantedEdits,
  },
  {
    name: 'the audit does not see an order that claims to be granted',
    file: checks,
    fault: inSql("OR (orders.state = 'granted') <> (lots.id IS NOT NULL)").remove(),
    killedBy: byPlantedEdits,
  },
  {
    name: 'the audit does not see whose credits an order took back',
    file: checks,
    fault: inSql('OR NOT COALESCE(by_order.own_lot, true)').remove(),
    killedBy: byPlantedEdits,
  },
];
