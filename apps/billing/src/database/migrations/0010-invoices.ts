import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The customer of an account at Stripe, and the invoice of an order. */
export class Invoices1797120009000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [customer, invoiceNumber, invoicePending, pendingInvoices]) {
      await runner.query(statement);
    }
  }

  down(): Promise<void> {
    throw new Error('Migrations only go forward: restore a backup instead.');
  }
}

const customer = 'ALTER TABLE accounts ADD COLUMN stripe_customer_id text';
const invoiceNumber = 'ALTER TABLE orders ADD COLUMN invoice_number text';
/** An older version leaves it false: it asks for no invoices. */
const invoicePending = 'ALTER TABLE orders ADD COLUMN invoice_pending boolean NOT NULL DEFAULT false';
const pendingInvoices = 'CREATE INDEX orders_invoice_pending ON orders (checked_at) WHERE invoice_pending';
