import { blanked, withoutSecrets } from './blank.js';

it('blanks who paid, and keeps the shape', () => {
  const session = {
    id: 'cs_test_a1B2c3D4e5F6',
    object: 'checkout.session',
    amount_total: 1_900,
    client_secret: 'cs_test_a1_secret_b2',
    customer_details: {
      address: { city: 'Berlin', country: 'DE', line2: null },
      email: 'buyer@site.example',
      name: 'Ada Buyer',
      tax_exempt: 'none',
    },
    payment_intent: {
      latest_charge: {
        payment_method_details: { card: { brand: 'visa', exp_year: 2_031, last4: '4242' }, type: 'card' },
        receipt_url: 'https://pay.stripe.com/receipts/secret',
      },
    },
    url: null,
  };
  expect(blanked(session)).toEqual({
    ...session,
    client_secret: '(blanked)',
    customer_details: {
      address: { city: '(blanked)', country: '(blanked)', line2: null },
      email: '(blanked)',
      name: '(blanked)',
      tax_exempt: 'none',
    },
    payment_intent: {
      latest_charge: {
        payment_method_details: {
          card: { brand: 'visa', exp_year: 2_031, last4: '(blanked)' },
          type: 'card',
        },
        receipt_url: 'https://blanked.example/',
      },
    },
  });
});

it('keeps the URL of a list, which is a path of the API, and blanks that of a page', () => {
  const list = {
    object: 'list',
    url: '/v1/refunds',
    data: [{ url: 'https://checkout.stripe.com/c/pay/cs_test_1' }],
  };
  expect(blanked(list)).toEqual({ ...list, data: [{ url: 'https://blanked.example/' }] });
});

it.each([
  ["The provided key 'rk_test_********************1234' may not", "The provided key '(blanked)' may not"],
  ['Invalid API Key provided: sk_test_51AbCdEfGh', 'Invalid API Key provided: (blanked)'],
  ['signed with whsec_abc+/=', 'signed with (blanked)'],
  ['sent to buyer@site.example.', 'sent to (blanked)'],
  ["No such checkout.session: 'cs_test_a1B2c3D4e5F6'", "No such checkout.session: 'cs_test_a1B2c3D4e5F6'"],
])('text has no secrets: %s', (text, shown) => {
  expect(withoutSecrets(text)).toBe(shown);
});
