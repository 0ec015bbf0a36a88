import { creditsOwed, paidCents } from './credits-to-return.js';

const builder = { credits: 500, paidCents: 14_900 };

describe('the credits for returned money', () => {
  it.each([
    [0, 0],
    [29, 0],
    [30, 1],
    [7_450, 250],
    [14_899, 499],
    [14_900, 500],
  ])('are whole ones: for %i cents %i', (returnedCents, owed) => {
    expect(creditsOwed({ ...builder, returnedCents })).toBe(owed);
  });

  it('are those of the share of what was really paid, with tax and discounts', () => {
    const taxed = { credits: 500, paidCents: 17_731 };
    expect(creditsOwed({ ...taxed, returnedCents: 8_866 })).toBe(250);
    expect(creditsOwed({ ...taxed, returnedCents: 17_730 })).toBe(499);
    expect(creditsOwed({ ...taxed, returnedCents: 17_731 })).toBe(500);
    expect(creditsOwed({ credits: 500, paidCents: 7_450, returnedCents: 3_725 })).toBe(250);
  });

  it('are none of an order that cost nothing', () => {
    expect(creditsOwed({ credits: 500, paidCents: 0, returnedCents: 0 })).toBe(0);
  });
});

it('an order without amounts has cost its price', () => {
  expect(paidCents({ priceCents: 14_900, totalCents: null })).toBe(14_900);
  expect(paidCents({ priceCents: 14_900, totalCents: 0 })).toBe(0);
});
