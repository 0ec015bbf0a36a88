import type Stripe from 'stripe';
import { type CheckRun, waitFor } from '../check-run.js';
import { readSession } from '../purchase.js';
import { buy } from './buy.step.js';

/** Stripe finalizes an invoice a moment after the payment. */
const invoiceMs = 60_000;
/** What customers need to change for the invoices of a company. */
const neededUpdates = ['name', 'email', 'address', 'tax_id'];
const portalSettings = 'Dashboard: Settings > Billing > Customer portal.';

/** The invoice of a purchase, and what customers can change about the next one. */
export async function checkInvoice(run: CheckRun): Promise<void> {
  const { options, report } = run;
  if (!options.invoices) {
    report.notPossible('invoices', 'STRIPE_INVOICES is off: none are made');
    return;
  }
  await checkPortal(run);
  const paid = await buy(run);
  if (!paid) return;
  const timeoutMs = Math.min(run.timeoutMs, invoiceMs);
  const invoice = await waitFor({ ...run, timeoutMs }, () => finalizedInvoice(run, paid.session.id));
  if (!invoice) {
    report.differs('its number', 'none after a minute: orders would show no invoice');
    return;
  }
  report.ok('its number', invoice.number ?? '');
  report.compare('its status', {
    found: invoice.status,
    expected: 'paid',
    without: 'it asks for money again',
  });
  report.compare('its total', {
    found: invoice.total,
    expected: paid.session.amount_total ?? 0,
    without: 'it is not about what was paid',
  });
  for (const name of ['hosted_invoice_url', 'invoice_pdf'] as const) {
    if (isPage(invoice[name])) report.ok(name, 'a page of Stripe');
    else report.differs(name, 'not a page of Stripe: order pages would not lead to it');
  }
}

/** `null`: not yet, or it can't be read. */
async function finalizedInvoice(run: CheckRun, sessionId: string): Promise<Stripe.Invoice | null> {
  const { account } = run;
  const session = await readSession(run, 'session.invoiced', sessionId);
  const { invoice } = session.kind === 'object' ? session.object : { invoice: null };
  const id = typeof invoice === 'string' ? invoice : invoice?.id;
  if (id === undefined) return null;
  const answer = await account.callStripe('invoice.paid', () => account.api.invoices.retrieve(id));
  return answer.kind === 'object' && answer.object.number !== null ? answer.object : null;
}

/** Of Stripe, or of the stand-in beside its API. */
function isPage(url: string | null | undefined): boolean {
  return typeof url === 'string' && /^https?:\/\//.test(url);
}

async function checkPortal({ account, report }: CheckRun): Promise<void> {
  const answer = await account.callStripe('portal-configurations', () =>
    account.api.billingPortal.configurations.list({ is_default: true }),
  );
  if (answer.kind !== 'object') {
    const why = answer.kind === 'denied' ? `your key may not read them ("${answer.right}")` : answer.message;
    report.notPossible('the customer portal', `its settings could not be read: ${why}`);
    return;
  }
  const [settings] = answer.object.data;
  if (!settings) {
    report.differs(
      'the customer portal',
      'its settings were never saved: customers could not change what their invoices say',
      `Save them. ${portalSettings}`,
    );
    return;
  }
  const { allowed_updates: allowed, enabled } = settings.features.customer_update;
  const missing = neededUpdates.filter((update) => !enabled || !allowed.some((one) => one === update));
  if (missing.length === 0) {
    report.ok('the customer portal', `customers can change ${neededUpdates.join(', ')}`);
  } else {
    report.differs(
      'the customer portal',
      `customers can't change ${missing.join(', ')} of their invoices`,
      `Allow it under Customer information. ${portalSettings}`,
    );
  }
}
