import fc from 'fast-check';
import { planReturn } from './plan-return.js';

describe('what changes in the lot', () => {
  const plan = (owed: number, creditsTakenBack: number, remaining: number, isExpired = false) =>
    planReturn({ owed, creditsTakenBack }, { remaining, isExpired });

  it('is what is missing, as far as it is there', () => {
    expect(plan(250, 0, 500)).toEqual({ change: -250, creditsTakenBack: 250, creditsNotRecovered: 0 });
    expect(plan(250, 0, 100)).toEqual({ change: -100, creditsTakenBack: 100, creditsNotRecovered: 150 });
    expect(plan(250, 100, 0)).toEqual({ change: 0, creditsTakenBack: 100, creditsNotRecovered: 150 });
    expect(plan(250, 100, 500)).toEqual({ change: -150, creditsTakenBack: 250, creditsNotRecovered: 0 });
  });

  it('is what was taken when the money came back', () => {
    expect(plan(0, 250, 10)).toEqual({ change: 250, creditsTakenBack: 0, creditsNotRecovered: 0 });
    expect(plan(100, 250, 0)).toEqual({ change: 150, creditsTakenBack: 100, creditsNotRecovered: 0 });
  });

  it('is nothing in an expired lot', () => {
    expect(plan(500, 0, 500, true)).toEqual({ change: 0, creditsTakenBack: 0, creditsNotRecovered: 500 });
    expect(plan(0, 250, 0, true)).toEqual({ change: 0, creditsTakenBack: 250, creditsNotRecovered: 0 });
  });

  it('never takes the lot below 0 or above what it was, and leaves nothing to do', () => {
    const any = fc.integer({ min: 1, max: 2_500 }).chain((credits) =>
      fc.record({
        credits: fc.constant(credits),
        owed: fc.integer({ min: 0, max: credits }),
        before: fc.integer({ min: 0, max: credits }),
        spent: fc.integer({ min: 0, max: credits }),
        isExpired: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(any, ({ credits, owed, before, spent, isExpired }) => {
        const remaining = Math.max(0, credits - before - spent);
        const { change, creditsTakenBack, creditsNotRecovered } = plan(owed, before, remaining, isExpired);
        expect(remaining + change).toBeGreaterThanOrEqual(0);
        expect(remaining + change).toBeLessThanOrEqual(credits);
        expect(creditsTakenBack).toBe(before - change);
        expect(creditsNotRecovered).toBe(Math.max(0, owed - creditsTakenBack));
        expect(plan(owed, creditsTakenBack, remaining + change, isExpired).change).toBe(0);
      }),
    );
  });
});
