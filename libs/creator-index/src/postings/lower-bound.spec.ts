import fc from 'fast-check';
import { lowerBound } from './lower-bound.js';

const ascending = fc
  .array(fc.nat(40), { maxLength: 30 })
  .map((list) => list.sort((one, other) => one - other));

it.each([Uint16Array, Float64Array])('the first position of a %p that is not below a value', (List) => {
  fc.assert(
    fc.property(ascending, fc.integer({ min: -1, max: 41 }), (list, value) => {
      const expected = list.findIndex((one) => one >= value);
      expect(lowerBound(List.from(list), value)).toBe(expected < 0 ? list.length : expected);
    }),
  );
});

it('looks only between two positions, and gives the later one when all there are below', () => {
  fc.assert(
    fc.property(
      ascending,
      fc.integer({ min: -1, max: 41 }),
      fc.nat(30),
      fc.nat(30),
      (list, value, one, other) => {
        const [low, high] = [Math.min(one, other, list.length), Math.min(Math.max(one, other), list.length)];
        const expected = list.slice(low, high).findIndex((each) => each >= value);
        expect(lowerBound(Uint16Array.from(list), value, low, high)).toBe(
          expected < 0 ? high : low + expected,
        );
      },
    ),
  );
});
