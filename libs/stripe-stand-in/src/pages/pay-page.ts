import { type BuyerDetails } from '../books/invoicing.js';
import { type Charge, type Invoice, type Session } from '../books/objects.js';
import { type PaymentMethod } from '../books/payments.js';
import { StandInError } from '../books/stand-in-error.js';
import { dollars, html, type Html, page } from './html.js';

/** The page on which a buyer pays an open session. */
export function payPage(session: Session, problem = ''): string {
  const amount = dollars(session.amount_total ?? 0);
  const alert = problem === '' ? html`` : html`<p role="alert">${problem}</p>`;
  return narrowPage(
    `Pay ${amount}`,
    html`<h1>${amount}</h1>
      ${alert} ${amountsOf(session)}
      <form method="post">
        ${detailFields(session)}
        <label for="number">Card number</label>
        <input type="text" id="number" name="number" inputmode="numeric" value="4242 4242 4242 4242" />
        <button name="method" value="card">Pay ${amount}</button>
        <button name="method" value="delayed">Pay by bank debit (the money takes days)</button>
      </form>
      <p>4242 4242 4242 4242 is accepted, 4000 0000 0000 0002 is declined.</p>
      <p><a href="${session.cancel_url ?? '#'}">Back to the shop</a></p>`,
  );
}

/** How the total comes about, unless it is the price. */
function amountsOf({ amount_subtotal, total_details }: Session): Html {
  const { amount_discount: discount = 0, amount_tax: tax = 0 } = total_details ?? {};
  if (discount === 0 && tax === 0) return html``;
  return html`<dl>
    <dt>Subtotal</dt>
    <dd>${dollars(amount_subtotal ?? 0)}</dd>
    <dt>Discount</dt>
    <dd>-${dollars(discount)}</dd>
    <dt>Tax</dt>
    <dd>${dollars(tax)}</dd>
  </dl>`;
}

/** What an invoice says about the buyer. */
function detailFields({ billing_address_collection, tax_id_collection }: Session): Html {
  const address = html`<label for="name">Name</label><input type="text" id="name" name="name" />`;
  const taxId = html`<label for="tax_id">VAT number</label><input type="text" id="tax_id" name="tax_id" />`;
  return html`${billing_address_collection === 'required' ? address : html``}
  ${tax_id_collection.enabled ? taxId : html``}`;
}

/** What a buyer has entered for their invoice. */
export function detailsOf(form: URLSearchParams): BuyerDetails {
  return { name: form.get('name') ?? '', taxId: form.get('tax_id') ?? '' };
}

/** The page of a session that can no longer be paid. */
export function closedPage({ status, cancel_url }: Session): string {
  const text = status === 'complete' ? 'You have already paid.' : 'This session has expired.';
  return narrowPage(
    'Checkout',
    html`<h1>${text}</h1>
      <p><a href="${cancel_url ?? '#'}">Back to the shop</a></p>`,
  );
}

/** The receipt of a payment. */
export function receiptPage({ id, amount, amount_refunded }: Charge): string {
  return documentPage('Receipt', [`${dollars(amount)} for ${id}`, `${dollars(amount_refunded)} refunded`]);
}

/** The hosted page of an invoice. */
export function invoicePage({ number, total, ...invoice }: Invoice): string {
  const taxIds = invoice.customer_tax_ids.map(({ value }) => `VAT ${value}`);
  const buyer = `Bill to: ${invoice.customer_name ?? ''}, ${invoice.customer_email ?? ''}`;
  return documentPage(`Invoice ${number ?? ''}`, [`${dollars(total)}, ${invoice.status}`, buyer, ...taxIds]);
}

function documentPage(title: string, lines: readonly string[]): string {
  return narrowPage(
    title,
    html`<h1>${title}</h1>
      ${lines.map((line) => html`<p>${line}</p>`)}`,
  );
}

function narrowPage(title: string, content: Html): string {
  const note = html`<p>A local stand-in for Stripe. No money moves.</p>`;
  return page(title, html`<main>${note} ${content}</main>`);
}

/** How a buyer wants to pay. Throws when the card number is none and there is something to pay. */
export function chosenMethod(form: URLSearchParams, total: number | null): PaymentMethod {
  if (total === 0) return 'card';
  if (form.get('method') === 'delayed') return 'delayed';
  const method = testCards[(form.get('number') ?? '').replace(/\s/g, '')];
  if (method) return method;
  throw new StandInError(402, 'Your card number is invalid. Only the test cards below exist here.');
}

/** Cards of Stripe's own test mode, and what becomes of them. */
const testCards: Readonly<Record<string, PaymentMethod>> = {
  '4242424242424242': 'card',
  '4000000000000002': 'declined card',
};
