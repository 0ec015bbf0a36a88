import { neededRight } from './key-rights.js';

const refusal = (permission: string): string =>
  `The provided key 'rk_test_****' does not have the required permissions for this endpoint on account 'acct_1'. Having the '${permission}' permission would allow this request to continue.`;

it.each([
  ['rak_dispute_read', 'Disputes: Read'],
  ['rak_charge_write', 'Charges: Write'],
  ['rak_checkout_session_write', 'Checkout Sessions: Write'],
  ['rak_accounts_kyc_basic_read', 'Account: Read'],
  // One that Stripe has added since.
  ['rak_new_thing_read', 'new_thing: Read'],
])('%s is what the Dashboard calls %s', (permission, right) => {
  expect(neededRight(refusal(permission))).toBe(right);
});

it('a refusal may name none', () => {
  expect(neededRight('This API call cannot be made with a restricted key.')).toBe(
    'a right that Stripe does not name',
  );
});
