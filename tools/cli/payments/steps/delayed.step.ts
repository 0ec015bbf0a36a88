import { type CheckRun } from '../check-run.js';
import { intentOf, isPaid, payInBrowser, waitForSession } from '../purchase.js';

/** Pays with a bank account: complete at once, paid when the money arrives. */
export async function checkDelayed(run: CheckRun): Promise<void> {
  const { report } = run;
  const completed = await payInBrowser(run, {
    name: 'session.delayed',
    how: 'with a bank account: US bank account (routing number 110000000, account 000123456789) or SEPA (DE89370400440532013000), as Checkout offers it',
    isDone: ({ status }) => status === 'complete',
  });
  if (!completed) return;
  const { session } = completed;
  if (isPaid(session)) {
    report.notPossible('a payment that takes days', 'it was paid at once: by card, or the total was 0');
    return;
  }
  report.compare('payment_status until then', {
    found: session.payment_status,
    expected: 'unpaid',
    without: 'credits would be granted before the money arrives',
  });
  report.compare('payment_intent.status until then', {
    found: intentOf(session)?.status ?? null,
    expected: 'processing',
    without: 'the order would not be shown as processing',
  });
  report.say('  Waiting for the money; in a sandbox this takes some minutes.');
  const paid = await waitForSession(run, { name: 'session.delayed.paid', id: session.id, isDone: isPaid });
  if (paid) {
    report.compare('payment_status after the money arrived', {
      found: paid.payment_status,
      expected: 'paid',
      without: 'its credits would never be granted',
    });
  }
}
