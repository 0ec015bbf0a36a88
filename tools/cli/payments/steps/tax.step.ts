import { type CheckRun } from '../check-run.js';
import { buy } from './buy.step.js';

/** What Stripe Tax added to a purchase. */
export async function checkTax(run: CheckRun): Promise<void> {
  const { options, report } = run;
  if (!options.automaticTax) {
    report.notPossible('tax', 'STRIPE_AUTOMATIC_TAX is off: no tax is added to the price');
    return;
  }
  const paid = await buy(run);
  if (!paid) return;
  const { automatic_tax: automatic, total_details: details } = paid.session;
  report.compare('automatic_tax', { found: automatic.enabled, expected: true, without: 'no tax is added' });
  report.compare('its calculation', {
    found: automatic.status,
    expected: 'complete',
    without: 'the tax of this payment was not calculated',
  });
  const tax = details?.amount_tax ?? 0;
  if (tax > 0) report.ok('tax', `${tax} cents on top of the price`);
  else {
    report.notPossible(
      'tax',
      '0 cents were added: the address owes none, or the account is not registered where it is',
      'Add registrations in the Dashboard (Tax > Registrations), and pay with an address there.',
    );
  }
}
