import { amountsOf } from './amounts.js';

it.each([
  [{}, { discount: 0, tax: 0, total: 14_900 }],
  [{ taxPercent: 19 }, { discount: 0, tax: 2_831, total: 17_731 }],
  [{ discountPercent: 20 }, { discount: 2_980, tax: 0, total: 11_920 }],
  [
    { discountPercent: 20, taxPercent: 19 },
    { discount: 2_980, tax: 2_265, total: 14_185 },
  ],
  [
    { discountPercent: 100, taxPercent: 19 },
    { discount: 14_900, tax: 0, total: 0 },
  ],
  [{ discountCents: 900 }, { discount: 900, tax: 0, total: 14_000 }],
  [{ discountCents: 20_000 }, { discount: 14_900, tax: 0, total: 0 }],
])('14900 cents with %j', (changes, amounts) => {
  expect(amountsOf(14_900, changes)).toEqual(amounts);
});

it.each([{ discountPercent: 101 }, { discountPercent: -1 }, { taxPercent: -1 }])('refuses %j', (changes) => {
  expect(() => amountsOf(14_900, changes)).toThrow('percent');
});
