import fc from 'fast-check';
import { creditsOwed, planReturn } from './credits-to-return.js';

const builder = { credits: 500, priceCents: 14_900 };

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
        priceCents: fc.integer({ min: 1, max: 59_900 }),
      })
      .chain(({ credits, priceCents }) =>
        fc.record({
          credits: fc.constant(credits),
          priceCents: fc.constant(priceCents),
          returnedCents: fc.integer({ min: 0, max: priceCents }),
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
