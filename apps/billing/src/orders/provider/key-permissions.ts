/** What is asked of Stripe. */
export const operations = [
  'create_session',
  'get_session',
  'list_sessions',
  'list_refunds',
  'list_disputes',
  'create_refund',
  'list_events',
  'create_customer',
  'get_invoice',
] as const;
export type Operation = (typeof operations)[number];

interface Need {
  /** In the words of Stripe's Dashboard. */
  readonly permissions: string;
  /** What follows while a key has less, for operators. */
  readonly without: string;
}

/** What a restricted key must be allowed. */
export const needs: Readonly<Record<Operation, Need>> = {
  create_session: { permissions: 'Checkout Sessions: Write', without: 'nothing can be bought' },
  get_session: {
    permissions: 'Checkout Sessions: Read, PaymentIntents: Read, Charges: Read',
    without:
      'failed payments are not seen, receipts are not shown, and without Checkout Sessions no order is granted',
  },
  list_sessions: {
    permissions: 'Checkout Sessions: Read',
    without: 'events about payments do not find orders that are not known to be paid',
  },
  list_refunds: { permissions: 'Charges: Read', without: 'refunds take no credits back' },
  list_disputes: { permissions: 'Disputes: Read', without: 'disputes take no credits back' },
  create_refund: { permissions: 'Charges: Write', without: 'refunds can be made in the Dashboard only' },
  list_events: {
    permissions: 'Events: Read',
    without: 'every reconciliation compares all refunds and disputes of half a year',
  },
  create_customer: {
    permissions: 'Customers: Write',
    without: 'nothing can be bought as long as STRIPE_INVOICES is on',
  },
  get_invoice: { permissions: 'Invoices: Read', without: 'invoices are not shown' },
};
