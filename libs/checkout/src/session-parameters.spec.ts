import { type OrderedCredits, type PriceOptions, sessionParameters } from './session-parameters.js';

const order: OrderedCredits = {
  id: 'order-1',
  accountId: 'account-1',
  personId: 'person-1',
  pack: 'builder',
  credits: 1_500,
  priceCents: 14_900,
  successUrl: 'https://site.example/bought',
  cancelUrl: 'https://site.example/buy',
};
const priceData = { currency: 'usd', unit_amount: 14_900, product_data: { name: '1,500 credits' } };
const metadata = {
  order_id: 'order-1',
  account_id: 'account-1',
  person_id: 'person-1',
  pack: 'builder',
  credits: '1500',
  price_cents: '14900',
};
const plain = {
  mode: 'payment',
  adaptive_pricing: { enabled: false },
  client_reference_id: 'order-1',
  line_items: [{ quantity: 1, price_data: priceData }],
  metadata,
  payment_intent_data: { description: '1,500 credits', metadata },
  success_url: 'https://site.example/bought',
  cancel_url: 'https://site.example/buy',
};
/** Tax is added to the price, never taken out of it. */
const taxed = {
  automatic_tax: { enabled: true },
  line_items: [{ quantity: 1, price_data: { ...priceData, tax_behavior: 'exclusive' } }],
};
const invoiced = {
  customer: 'cus_1',
  customer_update: { address: 'auto', name: 'auto' },
  billing_address_collection: 'required',
  tax_id_collection: { enabled: true },
  invoice_creation: { enabled: true, invoice_data: { metadata } },
};

it.each<[PriceOptions, Partial<OrderedCredits>, object]>([
  [{}, {}, {}],
  [{ automaticTax: true }, {}, taxed],
  [{ promotionCodes: true }, {}, { allow_promotion_codes: true }],
  [{}, { customerId: 'cus_1' }, invoiced],
])('a session with %j of an order with %j', (options, changes, expected) => {
  expect(sessionParameters({ ...order, ...changes }, options)).toEqual({ ...plain, ...expected });
});
