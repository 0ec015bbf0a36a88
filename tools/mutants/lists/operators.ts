import { type Mutant } from '../mutant.js';
import { inFunction, inSql } from '../planting/fault.js';

const orders = 'apps/billing/src/orders';
const owing = `${orders}/owing-accounts.ts`;
const repository = `${orders}/orders.repository.ts`;
const concerns = `${orders}/operators/order-concerns.ts`;
const byOwing = [`${orders}/owing-accounts.int-spec.ts`];
const byRefunds = [`${orders}/operators/order-refunds.int-spec.ts`];
const byGauges = [`${orders}/operators/order-gauges.int-spec.ts`];

export const operators: readonly Mutant[] = [
  {
    name: 'an account that owes can pay',
    file: 'apps/billing/src/ledger/charges/charge.repository.ts',
    fault: inSql('$2 AND owes_since IS NOT NULL').replaceWith('$2 AND false'),
    killedBy: byOwing,
  },
  {
    name: 'an account owes while its dispute is under way',
    file: owing,
    fault: inSql('is_dispute_lost AND').remove(),
    killedBy: byOwing,
  },
  {
    name: 'what an operator has accepted does not count again when the dispute is lost',
    file: owing,
    fault: inFunction('follow').replace('hasGrown || isNewlyLost', 'hasGrown'),
    killedBy: byOwing,
  },
  {
    name: 'who buys again stays stopped',
    file: `${orders}/order-transitions.ts`,
    fault: inFunction('grant').remove('await this.owing.forgive($$$);'),
    killedBy: byOwing,
  },
  {
    name: 'an account whose credits were recovered stays stopped',
    file: `${orders}/recoverable-credits.step.ts`,
    fault: inFunction('apply').remove('await this.owing.note($$$);'),
    killedBy: byOwing,
  },
  {
    name: 'the next attempt at a refund is the same request',
    file: repository,
    fault: inSql('SET refund_attempts = $2').replaceWith('SET refund_attempts = $2 - 1'),
    killedBy: byRefunds,
  },
  {
    name: 'an order that was paid twice is refunded',
    file: concerns,
    fault: inFunction('actionsOf').replace('!isPaidTwice($ORDER)', 'true'),
    killedBy: byRefunds,
  },
  {
    name: 'a warning of fraud is told of each time',
    file: repository,
    fault: inSql('AND fraud_warning_at IS NULL').remove(),
    killedBy: [`${orders}/operators/fraud-warnings.int-spec.ts`],
  },
  {
    name: 'a warning of fraud is left out where something else was accepted before',
    file: concerns,
    fault: inSql('(accepted_at IS NULL OR accepted_at < fraud_warning_at)').replaceWith(
      'accepted_at IS NULL',
    ),
    killedBy: [`${orders}/operators/fraud-warnings.int-spec.ts`],
  },
  {
    name: 'a refunded payment is warned of for ever',
    file: concerns,
    fault: inSql('AND returned_cents < COALESCE(total_cents, price_cents)').remove(),
    killedBy: byGauges,
  },
  {
    name: 'a resolved order is counted for ever',
    file: concerns,
    fault: inSql('problem IS NOT NULL AND resolution IS NULL').replaceWith('problem IS NOT NULL'),
    killedBy: byGauges,
  },
];
