/** What can be asked of the API, by name. */
export const operations = [
  'create_session',
  'list_sessions',
  'get_session',
  'expire_session',
  'get_payment_intent',
  'list_charges',
  'get_charge',
  'create_refund',
  'list_refunds',
  'get_refund',
  'list_disputes',
  'get_dispute',
  'close_dispute',
  'list_events',
  'get_event',
  'get_account',
  'list_webhook_endpoints',
  'list_payment_method_configurations',
  'get_tax_settings',
] as const;

export type Operation = (typeof operations)[number];
