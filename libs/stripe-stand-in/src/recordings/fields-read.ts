/**
 * Of each type of object the fields by which billing decides. They have to exist in what Stripe answers and in what the
 * stand-in answers, whatever else is in it.
 */
export const fieldsRead: Readonly<Record<string, readonly string[]>> = {
  'checkout.session': [
    'id',
    'amount_subtotal',
    'amount_total',
    'currency',
    'expires_at',
    'livemode',
    'metadata',
    'payment_intent',
    'payment_status',
    'status',
    'total_details.amount_discount',
    'total_details.amount_tax',
    'url',
  ],
  payment_intent: ['id', 'latest_charge', 'status'],
  charge: ['receipt_url'],
  refund: ['amount', 'created', 'currency', 'payment_intent', 'status'],
  dispute: ['amount', 'balance_transactions', 'created', 'currency', 'payment_intent', 'status'],
  balance_transaction: ['amount', 'currency'],
  'radar.early_fraud_warning': ['actionable', 'fraud_type', 'payment_intent'],
  event: ['id', 'created', 'data.object', 'livemode', 'type'],
};
