import { type AskedSignIn } from '#contracts';
import { askedSignIn } from './asked-sign-in.js';

const now = new Date('2026-03-01T12:00:00.000Z');
const hour = 3_600_000;
const methods = ['mail', 'provider', 'operator', null] as const;

/** The rules one by one, as a customer would say them. */
function expected(
  providerOnly: boolean,
  hours: number | null,
  method: (typeof methods)[number],
  ageMs: number,
): AskedSignIn | null {
  const isTrusted = method === 'provider' || method === 'operator';
  const isTooOld = hours !== null && ageMs >= hours * hour;
  if (providerOnly && !isTrusted) return 'provider';
  if (!isTooOld) return null;
  // A company's sign-in is repeated there; an operator's link is not to be had again by oneself.
  if (method === 'provider') return 'again';
  return providerOnly ? 'provider' : 'again';
}

const cases = [true, false].flatMap((providerOnly) =>
  [null, 1, 12, 720].flatMap((hours) =>
    methods.flatMap((method) =>
      [0, hour - 1, hour, 12 * hour - 1, 12 * hour, 720 * hour - 1, 720 * hour].map(
        (ageMs) => [providerOnly, hours, method, ageMs] as const,
      ),
    ),
  ),
);

it.each(cases)(
  'provider only: %s, hours: %s, signed in by %s %d ms ago',
  (providerOnly, hours, method, ageMs) => {
    const signedIn = { method, signedInAt: new Date(now.getTime() - ageMs) };
    expect(askedSignIn({ providerOnly, sessionHours: hours }, signedIn, now)).toBe(
      expected(providerOnly, hours, method, ageMs),
    );
  },
);
