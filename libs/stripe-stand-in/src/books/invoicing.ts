import { newId, type Customer, type Invoice, type Session } from './objects.js';
import { type Records } from './records.js';

/** What a buyer enters in Checkout for their invoice. */
export interface BuyerDetails {
  readonly name?: string;
  /** Tax number in the EU; empty: the buyer is no business. */
  readonly taxId?: string;
}

export type NewCustomer = Pick<Customer, 'email' | 'metadata' | 'name'>;

/** The shop's customers, and the invoices for what they paid in Checkout. */
export class Invoicing {
  /** Whether invoices stay drafts until `finalize`, as they do at Stripe for a moment. */
  isSlow = false;
  private readonly details = new Map<string, BuyerDetails>();
  /** Tax numbers by customer, the latest first. */
  private readonly taxIds = new Map<string, string[]>();
  private numbered = 0;

  constructor(
    private readonly records: Records,
    private readonly origin: () => string,
  ) {}

  createCustomer(given: NewCustomer): Customer {
    const customer: Customer = { id: newId('cus'), ...given };
    this.records.customers.set(customer.id, customer);
    return customer;
  }

  /** The shop deletes a customer in its Dashboard: it can't be used in new sessions. */
  deleteCustomer(id: string): void {
    this.records.customers.delete(id);
  }

  /** The buyer fills in the form of a session, before paying. */
  enterDetails(sessionId: string, details: BuyerDetails): void {
    this.details.set(this.records.session(sessionId).id, details);
  }

  /** Stores at the customer what the buyer entered in a completed session. */
  keepDetails({ id, customer: customerId, tax_id_collection }: Session): void {
    const { name = '', taxId = '' } = this.details.get(id) ?? {};
    const customer = this.records.customers.get(customerId ?? '');
    if (!customer) return;
    if (name !== '') customer.name = name;
    if (taxId !== '' && tax_id_collection.enabled) {
      this.taxIds.set(customer.id, [taxId, ...(this.taxIds.get(customer.id) ?? [])]);
    }
  }

  /** Creates the invoice of a session that was just paid; `null` when it creates none. */
  invoiceFor(session: Session): Invoice | null {
    const customer = this.records.customers.get(session.customer ?? '');
    if (!session.invoice_creation.enabled || !customer) return null;
    const invoice: Invoice = {
      id: newId('in'),
      customer_email: customer.email,
      customer_name: customer.name ?? null,
      customer_tax_ids: (this.taxIds.get(customer.id) ?? []).map((value) => ({ type: 'eu_vat', value })),
      hosted_invoice_url: null,
      number: null,
      status: 'draft',
      total: session.amount_total ?? 0,
    };
    this.records.invoices.set(invoice.id, invoice);
    session.invoice = invoice.id;
    return invoice;
  }

  /** A draft gets its number and pages, and is paid. */
  finalize(id: string): Invoice {
    const invoice = this.records.invoice(id);
    this.numbered += 1;
    invoice.number = `STANDIN-${String(this.numbered).padStart(4, '0')}`;
    invoice.status = 'paid';
    invoice.hosted_invoice_url = `${this.origin()}/invoices/${id}`;
    this.records.emit('invoice.paid', invoice);
    return invoice;
  }
}
