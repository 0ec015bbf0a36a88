import { type Mutant } from '../mutant.js';
import { inFunction, inSql } from '../planting/fault.js';

const refresh = 'apps/billing/src/orders/order-refresh.ts';
const repository = 'apps/billing/src/orders/orders.repository.ts';
const stripe = 'apps/billing/src/orders/provider/stripe-payments.ts';
const checks = 'apps/billing/src/audit/order-checks.ts';
const byEvents = ['apps/billing/src/orders/payment-events.int-spec.ts'];
const byReceipts = ['apps/billing/src/orders/receipts.int-spec.ts'];
const byReconciliation = ['apps/billing/src/orders/reconciliation/reconciliation.int-spec.ts'];
const byPlantedEdits = ['apps/billing/src/audit/planted-order-edits.int-spec.ts'];

export const orders: readonly Mutant[] = [
  {
    name: 'an order is granted without the lock of its account',
    file: refresh,
    fault: inFunction('refresh').replace(
      'this.overdue.runWithAllVoided($ID, $WORK)',
      'this.overdue.transactions.run([], $WORK)',
    ),
    killedBy: byEvents,
  },
  {
    name: 'a granted order is granted again',
    file: refresh,
    fault: inFunction('OrderRefresh.change').replace('$ISGRANTED ? $GRANT : {}', '$GRANT'),
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
    fault: inFunction('createCheckout').replace('({ idempotencyKey: $ID })', '{}'),
    killedBy: ['apps/billing/src/orders/outages/killed-purchases.int-spec.ts'],
    test: 'loses nothing and counts nothing twice',
  },
  {
    name: 'a payment is not told of',
    file: refresh,
    fault: inFunction('grant').remove('await this.notices.paymentReceived($$$);'),
    killedBy: byReceipts,
  },
  {
    name: 'a payment is told of although its grant may fail',
    file: refresh,
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
