import fc from 'fast-check';
import { judgeBalance } from './judge-balance.js';

it.each([
  { credits: 10, threshold: 10, wasLow: false, isLow: false, isToBeTold: false },
  { credits: 9, threshold: 10, wasLow: false, isLow: true, isToBeTold: true },
  { credits: 8, threshold: 10, wasLow: true, isLow: true, isToBeTold: false },
  { credits: 10, threshold: 10, wasLow: true, isLow: false, isToBeTold: false },
])('$credits of $threshold, low before: $wasLow', ({ isLow, isToBeTold, ...balance }) => {
  expect(judgeBalance(balance)).toEqual({ isLow, isToBeTold });
});

it('however a balance moves, each fall below the threshold is told once', () => {
  fc.assert(
    fc.property(fc.nat({ max: 20 }), fc.array(fc.nat({ max: 30 })), (threshold, balances) => {
      let wasLow = false;
      let told = 0;
      for (const credits of balances) {
        const { isLow, isToBeTold } = judgeBalance({ credits, threshold, wasLow });
        if (isToBeTold) told += 1;
        wasLow = isLow;
      }
      const falls = balances.filter(
        (credits, n) => credits < threshold && (balances[n - 1] ?? Number.POSITIVE_INFINITY) >= threshold,
      );
      expect(told).toBe(falls.length);
    }),
  );
});
