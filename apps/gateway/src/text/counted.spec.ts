import fc from 'fast-check';
import { InsufficientCreditsError } from '../errors/gateway-errors.js';
import { tooManyCalls } from '../rate-limit/call-limits.js';
import { creditsWarning } from './counted.js';

it('sentences that users read have a noun that fits every number', () => {
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
