import { type Invoice } from '../books/objects.js';
import { dollars, html, page } from './html.js';

/** The hosted page of an invoice, which is its PDF too. */
export function invoicePage(invoice: Invoice): string {
  const { number, status, total, customer_name, customer_email, customer_tax_ids } = invoice;
  return page(
    `Invoice ${number ?? ''}`,
    html`<main class="narrow">
      <p class="note">A local stand-in for an invoice of Stripe.</p>
      <h1>Invoice ${number ?? ''}</h1>
      <p>${dollars(total)}, ${status ?? ''}</p>
      <p>Bill to: ${customer_name ?? ''}, ${customer_email ?? ''}</p>
      ${customer_tax_ids.map(({ value }) => html`<p>VAT ${value}</p>`)}
    </main>`,
  );
}
