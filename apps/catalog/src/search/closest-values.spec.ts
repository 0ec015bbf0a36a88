import fc from 'fast-check';
import { closestValue } from './closest-values.js';

const values = [
  'united kingdom',
  'united states',
  'germany',
  'france',
  'peru',
  'iran',
  'iraq',
  'mali',
  'food-drink',
].map((key) => ({ key, name: key.toUpperCase() }));

it.each([
  ['untied kingdom', 'UNITED KINGDOM'],
  ['unitedkingdom', 'UNITED KINGDOM'],
  ['unted stats', 'UNITED STATES'],
  ['germny', 'GERMANY'],
  ['grmany', 'GERMANY'],
  ['pera', 'PERU'],
  // As near to the one as to the other: the first.
  ['iraa', 'IRAN'],
  ['fooddrink', 'FOOD-DRINK'],
  ['frankreich', null],
  ['xyz', null],
  ['mal', null],
  ['', null],
  ['x'.repeat(100), null],
])('the closest value to %j is %j', (misspelled, closest) => {
  expect(closestValue(misspelled, values)).toBe(closest);
});

/** The mistakes between two words, counted by trying every way. */
function distance(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length;
  const rest = (from: number, otherFrom: number) => distance(one.slice(from), other.slice(otherFrom));
  const isExchanged = one.length > 1 && one[0] === other[1] && one[1] === other[0];
  return Math.min(
    rest(1, 1) + (one[0] === other[0] ? 0 : 1),
    rest(1, 0) + 1,
    rest(0, 1) + 1,
    isExchanged ? rest(2, 2) + 1 : Infinity,
  );
}

it('finds a value with the fewest mistakes, a quarter of the letters at most', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 4 }), (misspelled, keys) => {
      const near = keys.map((key) => distance(misspelled, key));
      const fewest = Math.min(Infinity, ...near);
      const expected =
        fewest <= Math.floor(misspelled.length / 4) && fewest > 0 ? keys[near.indexOf(fewest)] : null;
      fc.pre(fewest > 0);
      expect(
        closestValue(
          misspelled,
          keys.map((key) => ({ key, name: key })),
        ),
      ).toBe(expected);
    }),
  );
});
