import { type InvoicePages, type OpenInvoiceDetailsRequest, type OrderPath, ServiceError } from '#contracts';
import { Injectable } from '@nestjs/common';
import { hasInvoice } from '../order-view.js';
import { OrdersRepository } from '../orders.repository.js';
import { startBudget, viewBudget } from '../provider/request-budget.js';
import { ProviderFailure, UnknownToProvider } from '../provider/stripe-client.js';
import { StripeInvoices } from '../provider/stripe-invoices.js';
import { AccountCustomers } from './account-customers.js';

/** The invoices of orders, and the details that they are made out to, both of which are kept by Stripe. */
@Injectable()
export class InvoicesService {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly customers: AccountCustomers,
    private readonly stripe: StripeInvoices,
  ) {}

  /** Fresh addresses: those of Stripe expire after a month. Throws as `findInvoicePages` says. */
  async findPages({ account_id, order_id }: OrderPath): Promise<InvoicePages> {
    const order = await this.orders.findOfAccount(account_id, order_id);
    if (!order || !hasInvoice(order)) throw noInvoice();
    if (order.invoiceId === null) return { page_url: null, pdf_url: null };
    try {
      const { hosted_invoice_url, invoice_pdf } = await this.stripe.find(order.invoiceId, viewBudget());
      return { page_url: this.stripe.page(hosted_invoice_url), pdf_url: this.stripe.page(invoice_pdf) };
    } catch (error) {
      if (error instanceof UnknownToProvider) throw noInvoice(error);
      throw error;
    }
  }

  /** Throws as `openInvoiceDetails` says. */
  async openDetails({ account_id, pages_url }: OpenInvoiceDetailsRequest): Promise<string> {
    if (!this.stripe.isOn) throw new ServiceError('conflict', 'No invoices are made here.');
    const budget = startBudget();
    try {
      const url = await this.customers.run(account_id, budget, (customer) =>
        this.stripe.openPortal(customer, `${pages_url}/buy`, budget),
      );
      if (url !== null) return url;
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.failure !== 'refused') throw error;
      throw refused(error);
    }
    throw refused();
  }
}

function noInvoice(cause?: Error): ServiceError {
  return new ServiceError('not_found', 'This order has no invoice.', { cause });
}

/** Logged for operators, who have to change a setting at Stripe. */
function refused(cause?: Error): ServiceError {
  const message =
    'The details of your invoices cannot be changed at the moment: the payment provider does not accept our requests.';
  return new ServiceError('conflict', message, { cause });
}
