import { message } from '../message.js';
import { Text } from '../shape/fields.js';
import { AccountPath } from './accounts.js';
import { OrderPath } from './orders.js';

/** Where the payment provider shows an invoice, to anyone who has the address, for at least ten days. */
export interface InvoicePages {
  /** `null`, as the other: it has none yet. */
  readonly page_url: string | null;
  readonly pdf_url: string | null;
}

export class OpenInvoiceDetailsRequest extends AccountPath {
  /** Where the customer comes back to: `{pages_url}/buy`. */
  @Text({ max: 500 })
  readonly pages_url: string;
}

/**
 * Asks the payment provider for the pages of an order's invoice. `not_found` without one; `unavailable` while the payment provider
 * does not answer.
 */
export const findInvoicePages = message<OrderPath, InvoicePages>('billing', 'find_invoice_pages', OrderPath, {
  deadlineMs: 10_000,
  resendAfterMs: 5_000,
});
/**
 * The address of the payment provider's page on which the account's name, email, address and tax ID of future invoices are changed.
 * It works for a few minutes, for anyone who has it. `conflict` where no invoices are made, and when the payment provider refuses
 * what is asked; `unavailable` while it does not answer.
 */
export const openInvoiceDetails = message<OpenInvoiceDetailsRequest, { readonly url: string }>(
  'billing',
  'open_invoice_details',
  OpenInvoiceDetailsRequest,
  { deadlineMs: 15_000, resendAfterMs: null },
);
