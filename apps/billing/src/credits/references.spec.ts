import {
  grantReference,
  isGrantReference,
  isOrderReference,
  lotReference,
  returnReference,
} from './references.js';

const id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';

it('a grant is named by its agreement and its day', () => {
  expect(grantReference('a', new Date('2024-02-29T10:00:00Z'))).toBe('agreement:a:2024-02-29');
});

it('references of grants and orders are reserved', () => {
  expect(isGrantReference(grantReference('a', new Date()))).toBe(true);
  expect(isOrderReference(lotReference(id))).toBe(true);
  expect(isOrderReference(returnReference(id, 3))).toBe(true);
});

it.each(['order 17', 'stripe:cs_test_1', `stripe:${id} again`, `refund:${id}`, `my stripe:${id}`])(
  'operators may use %s',
  (reference) => {
    expect(isOrderReference(reference)).toBe(false);
    expect(isGrantReference(reference)).toBe(false);
  },
);
