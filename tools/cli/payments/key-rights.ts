/** Names in the Dashboard's form of a restricted key, by what Stripe's refusals call them. Refunds belong to Charges. */
const resources: Readonly<Record<string, string>> = {
  account: 'Account',
  accounts_kyc_basic: 'Account',
  bucket_checkout: 'Checkout Sessions',
  charge: 'Charges',
  customer: 'Customers',
  customer_portal: 'Customer portal',
  checkout_session: 'Checkout Sessions',
  connected_account: 'Account',
  dispute: 'Disputes',
  event: 'Events',
  invoice: 'Invoices',
  payment_intent: 'PaymentIntents',
  payment_method_configuration: 'Payment Method Configurations',
  tax_setting: 'Tax Settings',
  tax_settings: 'Tax Settings',
  webhook: 'Webhook Endpoints',
};

/** The right that a refusal names: `Having the 'rak_dispute_read' permission ...` is `Disputes: Read`. */
export function neededRight(message: string): string {
  const [, resource, kind] = /'(?:rak_)?(\w+)_(read|write)' permission/.exec(message) ?? [];
  if (resource === undefined) return 'a right that Stripe does not name';
  return `${resources[resource] ?? resource}: ${kind === 'write' ? 'Write' : 'Read'}`;
}
