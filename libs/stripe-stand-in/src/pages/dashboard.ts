import { type Session } from '../books/objects.js';
import { type Records } from '../books/records.js';
import { type Webhooks } from '../webhooks.js';
import { dollars, html, type Html, page } from './html.js';

/** What was ordered and paid, with the ids by which controls name it, and the latest webhooks. */
export function dashboard(records: Records, webhooks: Webhooks): string {
  const sessions = [...records.sessions.values()].reverse().slice(0, 100);
  const latest = webhooks.deliveries.slice(-30).reverse();
  return page(
    'Payments',
    html`<main>
      <h1>Payments</h1>
      <p class="note">A local stand-in for Stripe. No money moves, and everything is gone when it stops.</p>
      <table>
        ${sessions.map((session) => row(records, session))}
      </table>
      <h2>Webhooks</h2>
      <ul>
        ${latest.map(({ event, status }) => html`<li>${event.type}: ${status || 'no answer'}</li>`)}
      </ul>
    </main>`,
  );
}

function row(records: Records, { id, status, payment_status, payment_intent, ...session }: Session): Html {
  const returns = [...records.refunds.values(), ...records.disputes.values()].filter(
    (one) => one.payment_intent === payment_intent,
  );
  const states = [
    `${id} ${status} ${payment_status}`,
    ...(payment_intent ? [`${payment_intent} ${records.paymentIntent(payment_intent).status}`] : []),
    ...returns.map((one) => `${one.object} ${one.id} of ${dollars(one.amount)} ${one.status}`),
  ];
  return html`<tr>
    <td>${session.client_reference_id ?? ''}</td>
    <td>${dollars(session.amount_total ?? 0)}</td>
    <td>${states.join(', ')}</td>
    <td>${session.url ? html`<a href="${session.url}">Pay</a>` : html``}</td>
  </tr>`;
}
