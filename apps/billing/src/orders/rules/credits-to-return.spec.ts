import fc from 'fast-check';
import { creditsOwed, paidCents, planReturn } from './credits-to-return.js';

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

describe('what changes in the lot', () => {
  const plan = (returnedCents: number, creditsTakenBack: number, remaining: number, isExpired = false) =>
    planReturn({ ...builder, returnedCents, creditsTakenBack }, { remaining, isExpired });

  it('is what is missing, as far as it is there', () => {
    expect(plan(7_450, 0, 500)).toEqual({ change: -250, creditsTakenBack: 250, creditsNotRecovered: 0 });
    expect(plan(7_450, 0, 100)).toEqual({ change: -100, creditsTakenBack: 100, creditsNotRecovered: 150 });
    expect(plan(7_450, 100, 0)).toEqual({ change: 0, creditsTakenBack: 100, creditsNotRecovered: 150 });
    expect(plan(7_450, 100, 500)).toEqual({ change: -150, creditsTakenBack: 250, creditsNotRecovered: 0 });
  });

  it('is what was taken when the money came back', () => {
    expect(plan(0, 250, 10)).toEqual({ change: 250, creditsTakenBack: 0, creditsNotRecovered: 0 });
    expect(plan(2_980, 250, 0)).toEqual({ change: 150, creditsTakenBack: 100, creditsNotRecovered: 0 });
  });

  it('is nothing in an expired lot', () => {
    expect(plan(14_900, 0, 500, true)).toEqual({
      change: 0,
      creditsTakenBack: 0,
      creditsNotRecovered: 500,
    });
    expect(plan(0, 250, 0, true)).toEqual({ change: 0, creditsTakenBack: 250, creditsNotRecovered: 0 });
  });

  it('never takes the lot below 0 or above what it was, and leaves nothing to do', () => {
    const anyOrder = fc
      .record({
        credits: fc.integer({ min: 1, max: 2_500 }),
        paidCents: fc.integer({ min: 0, max: 71_281 }),
      })
      .chain(({ credits, paidCents }) =>
        fc.record({
          credits: fc.constant(credits),
          paidCents: fc.constant(paidCents),
          returnedCents: fc.integer({ min: 0, max: paidCents }),
          creditsTakenBack: fc.integer({ min: 0, max: credits }),
          spent: fc.integer({ min: 0, max: credits }),
          isExpired: fc.boolean(),
        }),
      );
    fc.assert(
      fc.property(anyOrder, ({ spent, isExpired, ...order }) => {
        const remaining = Math.max(0, order.credits - order.creditsTakenBack - spent);
        const { change, creditsTakenBack, creditsNotRecovered } = planReturn(order, { remaining, isExpired });
        const owed = creditsOwed(order);
        expect(remaining + change).toBeGreaterThanOrEqual(0);
        expect(remaining + change).toBeLessThanOrEqual(order.credits);
        expect(creditsTakenBack).toBe(order.creditsTakenBack - change);
        expect(creditsNotRecovered).toBe(Math.max(0, owed - creditsTakenBack));
        const after = { remaining: remaining + change, isExpired };
        expect(planReturn({ ...order, creditsTakenBack }, after).change).toBe(0);
      }),
    );
  });
});
