import { isRecord } from '#contracts';
import { type CheckRun } from '../check-run.js';
import { createSession } from '../purchase.js';

/** Methods whose money takes days: their orders are `processing` until then. */
export const delayedMethods = [
  'acss_debit',
  'au_becs_debit',
  'bacs_debit',
  'boleto',
  'customer_balance',
  'konbini',
  'multibanco',
  'oxxo',
  'sepa_debit',
  'us_bank_account',
];

/** Facts about the account that decide how it sells. */
export async function checkAccount(run: CheckRun): Promise<void> {
  await checkFacts(run);
  await checkMethods(run);
  if (run.options.automaticTax) await checkTaxSettings(run);
  run.report.notPossible(
    'receipts by mail',
    "Stripe mails them only if that is switched on, which can't be read; never in a sandbox",
    'See the Dashboard: Settings > Customer emails > Successful payments, Refunds.',
  );
}

async function checkFacts({ account, report }: CheckRun): Promise<void> {
  const facts = await account.callStripe('account', () => account.api.accounts.retrieveCurrent());
  if (facts.kind !== 'object') {
    const why = facts.kind === 'denied' ? `your key may not read it ("${facts.right}")` : facts.message;
    report.notPossible('the account', `could not be read: ${why}`, 'Billing does not need it.');
    return;
  }
  const { charges_enabled, country, default_currency: currency } = facts.object;
  report.ok('country', country ?? 'unknown');
  if (charges_enabled) report.ok('charges', 'enabled');
  else {
    report.differs(
      'charges',
      'not enabled: live payments are impossible',
      'Finish the activation of the account in the Dashboard.',
    );
  }
  if (currency === 'usd') report.ok('currency', currency);
  else {
    report.differs(
      'currency',
      `${currency ?? 'none'}, while packs are sold in usd: payments are converted, and a dispute that comes in ${currency ?? 'another currency'} counts as one of the whole payment`,
    );
  }
}

async function checkMethods(run: CheckRun): Promise<void> {
  const { account, report } = run;
  const created = await createSession(run, 'session.methods');
  if (created.kind !== 'object') {
    report.notPossible('payment methods', 'no Checkout session could be created to list them');
  } else {
    const { id, payment_method_types: types } = created.object;
    report.ok('payment methods', `${types.join(', ')} (chosen in the Dashboard: Settings > Payment methods)`);
    const delayed = types.filter((type) => delayedMethods.includes(type));
    if (delayed.length > 0) {
      report.ok('of them, delayed', `${delayed.join(', ')}: credits arrive with the money, days later`);
    }
    await account.callStripe('session.methods.expired', () => account.api.checkout.sessions.expire(id));
  }
  const configured = await account.callStripe('payment-method-configurations', () =>
    account.api.paymentMethodConfigurations.list({ limit: 100 }),
  );
  if (configured.kind !== 'object') return;
  const inUse = configured.object.data.find(({ active, is_default }) => active && is_default);
  if (inUse) report.ok('switched on in the Dashboard', switchedOn(inUse).join(', ') || 'none');
}

/** Of a configuration, the methods that Checkout may offer. */
function switchedOn(configuration: object): string[] {
  return Object.entries(configuration).flatMap(([name, value]) => {
    return isRecord(value) && value.available === true ? [name] : [];
  });
}

async function checkTaxSettings({ account, report }: CheckRun): Promise<void> {
  const answer = await account.callStripe('tax-settings', () => account.api.tax.settings.retrieve());
  if (answer.kind !== 'object') {
    const why = answer.kind === 'denied' ? `your key may not read them ("${answer.right}")` : answer.message;
    report.notPossible('settings of Stripe Tax', `could not be read: ${why}`);
    return;
  }
  const { defaults, status, status_details } = answer.object;
  if (status === 'active') report.ok('settings of Stripe Tax', 'active');
  else {
    const missing = status_details.pending?.missing_fields?.join(', ') ?? 'unknown';
    report.differs(
      'settings of Stripe Tax',
      `${status} (missing: ${missing}), while STRIPE_AUTOMATIC_TAX is on: Stripe refuses every session, so nothing can be bought`,
      'Finish Settings > Tax in the Dashboard, or set STRIPE_AUTOMATIC_TAX=off.',
    );
  }
  if (defaults.tax_code === null) {
    report.differs(
      'default tax code',
      'none: Stripe has to guess what kind of product credits are',
      'Choose one in the Dashboard: Settings > Tax > Preset product tax code.',
    );
  } else report.ok('default tax code', defaults.tax_code);
}
