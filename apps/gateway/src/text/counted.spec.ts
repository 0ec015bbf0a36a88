import fc from 'fast-check';
import { InsufficientCreditsError } from '../errors/gateway-errors.js';
import { tooManyCalls } from '../rate-limit/call-limits.js';
import { creditsWarning } from './counted.js';

describe('the sentences that users read', () => {
  it('say where credits are bought, where they are', () => {
    expect(new InsufficientCreditsError(3, 1, 'https://api.example/account/buy').message).toBe(
      'This call costs 3 credits and 1 is left; buy a pack at https://api.example/account/buy to continue.',
    );
  });

  it('have a noun that fits every number', () => {
    fc.assert(
      fc.property(fc.nat(5), fc.nat(5), (one, other) => {
        const sentences = [
          new InsufficientCreditsError(one, other).message,
          tooManyCalls('search', one).message,
          creditsWarning(one) ?? '',
        ];
        for (const [, number, word = ''] of sentences.join(' ').matchAll(/(\d+) (\w+)/g)) {
          expect([number, ['credit', 'second', 'is'].includes(word)]).toEqual([number, number === '1']);
        }
      }),
    );
  });
});

it('warns at 5 credits or fewer, and not above', () => {
  expect([0, 1, 5, 6, 100].map(creditsWarning)).toEqual([
    'Low balance: 0 credits are left.',
    'Low balance: 1 credit is left.',
    'Low balance: 5 credits are left.',
    undefined,
    undefined,
  ]);
});
