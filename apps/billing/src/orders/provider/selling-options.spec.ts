import { stripePage } from './selling-options.js';

const stripe = { apiUrl: '', checkoutUrl: 'https://pay.shop.example' };

it.each([
  'https://invoice.stripe.com/i/acct_1/live_1?s=ap',
  'https://pay.stripe.com/invoice/acct_1/live_1/pdf',
  'https://pay.shop.example/p/session/live_1',
])('customers may be sent to %s', (url) => expect(stripePage(url, stripe)).toBe(url));

it.each([
  null,
  '',
  'invoice.stripe.com',
  'javascript:alert(1)',
  'http://invoice.stripe.com/i/1',
  'https://stripe.com.evil.example/i/1',
  'https://evilstripe.com/i/1',
  'https://invoice.stripe.com@evil.example/i/1',
  'http://pay.shop.example/p/1',
  'http://127.0.0.1:12111/invoices/1',
])('customers are not sent to %j', (url) => expect(stripePage(url, stripe)).toBeNull());

it('customers of a stand-in are sent to its pages', () => {
  const url = 'http://127.0.0.1:12111/invoices/in_1';
  expect(stripePage(url, { ...stripe, apiUrl: 'http://127.0.0.1:12111' })).toBe(url);
});
