import { type CodeAttempt, checkCode, hashCode, newSecrets, shownCode } from './sign-in-codes.js';

const at = (ms: number): Date => new Date(Date.UTC(2026, 0, 1) + ms);
const fresh: CodeAttempt = {
  isRight: true,
  usedAt: null,
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
  ['the right code once more', { usedAt: at(0) }, 'over'],
  ['the right code after four wrong ones', { attempts: 4, attemptsOfAddress: 4 }, 'right'],
  ['the right code after five wrong ones', { attempts: 5, attemptsOfAddress: 5 }, 'over'],
  ['the right code after 19 wrong ones for the address', { attemptsOfAddress: 19 }, 'right'],
  ['the right code after 20 wrong ones for the address', { attemptsOfAddress: 20 }, 'over'],
])('%s', (_what, change, verdict) => {
  expect(checkCode({ ...fresh, ...change })).toBe(verdict);
});

it('a code has six digits, shown in two groups; its hash depends on the browser and the sign-in', () => {
  const secrets = Array.from({ length: 100 }, newSecrets);
  for (const { code, token } of secrets) expect([code, token].join()).toMatch(/^\d{6},[\w-]{43}$/);
  expect(shownCode('012345')).toBe('012 345');
  const hashes = [
    hashCode('a', 'x', '1'),
    hashCode('b', 'x', '1'),
    hashCode('a', 'y', '1'),
    hashCode('a', 'x', '2'),
  ];
  expect(new Set(hashes).size).toBe(4);
});
