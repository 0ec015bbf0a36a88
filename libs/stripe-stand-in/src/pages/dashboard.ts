import { type Dispute, type Refund, type Session } from '../books/objects.js';
import { type Records } from '../books/records.js';
import { type Webhooks } from '../webhooks.js';
import { dollars, html, type Html, page } from './html.js';

/** What was ordered and paid, with a button for all that can happen to it, and the latest webhooks. */
export function dashboard(records: Records, webhooks: Webhooks): string {
  const sessions = [...records.sessions.values()].reverse().slice(0, 100);
  const latest = webhooks.deliveries.slice(-30).reverse();
  return page(
    'Payments',
    html`<main>
      <h1>Payments</h1>
      <p class="note">A local stand-in for Stripe. No money moves, and everything is gone when it stops.</p>
      <table>
        <thead>
          <tr>
            <th>Reference</th>
            <th>Amount</th>
            <th>State</th>
            <th>What happens next</th>
          </tr>
        </thead>
        <tbody>
          ${sessions.map((session) => row(records, session))}
        </tbody>
      </table>
      <h2>Webhooks</h2>
      <ul>
        ${latest.map(({ event, status }) => html`<li>${event.type}: ${status || 'no answer'}</li>`)}
      </ul>
    </main>`,
  );
}

function row(records: Records, session: Session): Html {
  const intent = session.payment_intent === null ? null : records.paymentIntent(session.payment_intent);
  const refunds = [...records.refunds.values()].filter(({ payment_intent }) => payment_intent === intent?.id);
  const disputes = [...records.disputes.values()].filter(
    ({ payment_intent }) => payment_intent === intent?.id,
  );
  const state = [
    session.status ?? '',
    session.payment_status,
    ...(intent ? [intent.status] : []),
    ...refunds.map((refund) => `refund of ${dollars(refund.amount)} ${refund.status}`),
    ...disputes.map((dispute) => `dispute of ${dollars(dispute.amount)} ${dispute.status}`),
  ];
  return html`<tr>
    <td>${session.client_reference_id ?? session.id}</td>
    <td>${dollars(session.amount_total ?? 0)}</td>
    <td>${state.join(', ')}</td>
    <td>${[...ofSession(session, intent?.status), ...ofPaid(session), ...ofReturns(refunds, disputes)]}</td>
  </tr>`;
}

function ofSession(session: Session, intentStatus: string | undefined): Html[] {
  const at = `/_controls/sessions/${session.id}`;
  if (session.status === 'open') {
    return [html`<a href="${session.url ?? '#'}">Pay</a>`, button(`${at}/expire`, 'Expire')];
  }
  if (intentStatus !== 'processing') return [];
  return [
    button(`${at}/settle`, 'The money arrives', 'outcome', 'succeeded'),
    button(`${at}/settle`, 'It does not', 'outcome', 'failed'),
  ];
}

function ofPaid({ payment_status, payment_intent, amount_total }: Session): Html[] {
  if (payment_status !== 'paid' || payment_intent === null) return [];
  const at = `/_controls/payments/${payment_intent}`;
  const half = Math.floor((amount_total ?? 0) / 2);
  return [
    button(`${at}/refund`, 'Refund'),
    button(`${at}/refund`, 'Refund half', 'amount', String(half)),
    button(`${at}/dispute`, 'Dispute'),
  ];
}

function ofReturns(refunds: readonly Refund[], disputes: readonly Dispute[]): Html[] {
  return [
    ...refunds
      .filter(({ status }) => status === 'succeeded')
      .map(({ id }) => button(`/_controls/refunds/${id}/fail`, 'Refund fails')),
    ...disputes
      .filter(({ status }) => status === 'needs_response')
      .flatMap(({ id }) => [
        button(`/_controls/disputes/${id}/close`, 'Win', 'outcome', 'won'),
        button(`/_controls/disputes/${id}/close`, 'Lose', 'outcome', 'lost'),
      ]),
  ];
}

function button(action: string, text: string, name = '', value = ''): Html {
  const field = name === '' ? html`` : html`<input type="hidden" name="${name}" value="${value}" />`;
  return html`<form method="post" action="${action}">${field}<button>${text}</button></form>`;
}
