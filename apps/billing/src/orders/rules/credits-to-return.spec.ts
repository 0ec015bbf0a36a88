import { creditsOwed, paidCents } from './credits-to-return.js';

it.each([
  [0, 14_900, 0],
  [29, 14_900, 0],
  [30, 14_900, 1],
  [14_899, 14_900, 499],
  [14_900, 14_900, 500],
  // With tax, and a discount of everything.
  [8_866, 17_731, 250],
  [0, 0, 0],
])('%i of %i cents that went back are whole credits: %i', (returnedCents, paid, owed) => {
  expect(creditsOwed({ credits: 500, priceCents: 14_900, totalCents: paid, returnedCents })).toBe(owed);
});

it('an order without amounts has cost its price', () => {
  expect(paidCents({ priceCents: 14_900, totalCents: null })).toBe(14_900);
  expect(paidCents({ priceCents: 14_900, totalCents: 0 })).toBe(0);
});
