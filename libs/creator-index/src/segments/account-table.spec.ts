import { expectEqual, propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { AccountTableBuilder, documentsOfHash } from './account-table.js';

const hash = fc.oneof(fc.constantFrom(0, 1, 2, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1), fc.nat(2 ** 32 - 1));
const document = fc.oneof(fc.nat(9), fc.constantFrom(0, 65_533, 65_534));
const pairs = fc.array(fc.tuple(hash, document), { maxLength: 200 });

it('the table returns the documents of each hash, each once and ascending, and none for another hash', () => {
  fc.assert(
    fc.property(pairs, hash, (added, other) => {
      const builder = new AccountTableBuilder(added.length);
      for (const [ofHash, number] of added) builder.add(ofHash, number);
      const table = builder.build();
      for (const wanted of [other, ...added.map(([ofHash]) => ofHash)]) {
        const expected = new Set(added.filter(([ofHash]) => ofHash === wanted).map(([, number]) => number));
        expectEqual(
          [...documentsOfHash(table, wanted)],
          [...expected].sort((a, b) => a - b),
        );
      }
      expect(table.hashes).toHaveLength(table.documents.length);
    }),
    { numRuns: propertyRuns(200) },
  );
});

it('the table does not depend on the order in which it was filled', () => {
  fc.assert(
    fc.property(pairs, (added) => {
      const [one, other] = [added, added.toReversed()].map((order) => {
        const builder = new AccountTableBuilder(order.length);
        for (const [ofHash, number] of order) builder.add(ofHash, number);
        return builder.build();
      });
      expect(one).toEqual(other);
    }),
  );
});
