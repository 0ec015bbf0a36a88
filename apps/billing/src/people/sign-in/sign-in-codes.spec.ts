import fc from 'fast-check';
import { attemptsMax, attemptsOfAddressMax, type CodeAttempt, checkCode } from './sign-in-codes.js';

const at = (ms: number): Date => new Date(Date.UTC(2026, 0, 1) + ms);
const fresh: CodeAttempt = {
  isRight: true,
  isUsed: false,
  expiresAt: at(600_000),
  attempts: 0,
  attemptsOfAddress: 0,
  now: at(0),
};

it.each<[string, Partial<CodeAttempt>, string]>([
  ['the code of the mail', {}, 'right'],
  ['another code', { isRight: false }, 'wrong'],
  ['the right code at the last moment', { now: at(599_999) }, 'right'],
  ['the right code at the instant of its end', { now: at(600_000) }, 'over'],
  ['the right code once more', { isUsed: true }, 'over'],
  ['the right code after four wrong ones', { attempts: 4, attemptsOfAddress: 4 }, 'right'],
  ['the right code after five wrong ones', { attempts: 5, attemptsOfAddress: 5 }, 'over'],
  ['the right code after 19 wrong ones for the address', { attemptsOfAddress: 19 }, 'right'],
  ['the right code after 20 wrong ones for the address', { attemptsOfAddress: 20 }, 'over'],
])('%s', (_what, change, verdict) => {
  expect(checkCode({ ...fresh, ...change })).toBe(verdict);
});

it('however codes are tried, an address has at most 20 wrong ones, and at most five for each mail', () => {
  const tries = fc.array(
    fc.record({ mail: fc.nat({ max: 9 }), isRight: fc.boolean(), seconds: fc.nat({ max: 900 }) }),
    {
      maxLength: 100,
    },
  );
  fc.assert(
    fc.property(tries, (all) => {
      const wrongOf = new Map<number, number>();
      const used = new Set<number>();
      let wrong = 0;
      for (const { mail, isRight, seconds } of all) {
        const attempts = wrongOf.get(mail) ?? 0;
        const state = { isUsed: used.has(mail), attempts, attemptsOfAddress: wrong };
        const verdict = checkCode({ ...fresh, ...state, isRight, now: at(seconds * 1_000) });
        if (verdict === 'right') {
          expect({ isRight, late: seconds >= 600, isUsed: used.has(mail) }).toEqual({
            isRight: true,
            late: false,
            isUsed: false,
          });
          used.add(mail);
        }
        if (verdict !== 'wrong') continue;
        wrongOf.set(mail, attempts + 1);
        wrong += 1;
      }
      expect(wrong).toBeLessThanOrEqual(attemptsOfAddressMax);
      expect(Math.max(0, ...wrongOf.values())).toBeLessThanOrEqual(attemptsMax);
    }),
  );
});
