import { isOrderReference, lotReference, returnReference } from './order-reference.js';

const id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

it('references of orders are theirs alone', () => {
  expect(isOrderReference(lotReference(id))).toBe(true);
  expect(isOrderReference(returnReference(id, 3))).toBe(true);
});

it.each(['order 17', 'stripe:cs_test_1', `stripe:${id} again`, `refund:${id}`, `my stripe:${id}`])(
  'those of operators are not: %s',
  (reference) => {
    expect(isOrderReference(reference)).toBe(false);
  },
);
