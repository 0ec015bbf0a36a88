import { WorkBudget } from './work-budget.js';

describe('the work that is done for strangers', () => {
  let now: number;
  let budget: WorkBudget;
  beforeEach(() => {
    now = 1_000_000;
    budget = new WorkBudget(() => now);
  });

  /** Work in pieces of a millisecond, as long as the networks may cause it: the ms done within `seconds`. */
  function done(networksOf: (index: number) => readonly string[], seconds: number): number {
    let ms = 0;
    for (const end = now + seconds * 1_000; now < end; now += 1) {
      for (let index = 0; index < 5; index += 1) {
        const networks = networksOf(ms + index);
        if (budget.isSpent(networks)) continue;
        budget.spend(networks, 1);
        ms += 1;
      }
    }
    return ms;
  }

  it('is a fifth of the time for one network, whatever it saved before', () => {
    expect(done(() => ['192.0.2.1'], 10)).toBeCloseTo(2_000 + 400, -2);
    now += 1_000_000;
    expect(done(() => ['192.0.2.1'], 10)).toBeCloseTo(2_000 + 400, -2);
  });

  it('is somewhat more for the networks of one site, and not less for another one', () => {
    const ms = done((index) => [`site:${index}`, 'site:0/56', 'site/48'], 10);
    expect(ms).toBeCloseTo(3_000 + 600, -2);
    expect(budget.isSpent(['192.0.2.1'])).toBe(false);
  });

  it('can be asked at no cost whether there is any debt', () => {
    expect(budget.hasDebtors).toBe(false);
    budget.spend(['192.0.2.1'], 500);
    expect([budget.hasDebtors, budget.isSpent(['192.0.2.1'])]).toEqual([true, true]);
    now += 600;
    expect([budget.hasDebtors, budget.isSpent(['192.0.2.1'])]).toEqual([false, false]);
  });
});
