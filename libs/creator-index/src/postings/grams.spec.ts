import { propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { gramKey, lookUpWord, visitGrams } from './grams.js';

/** Strings in any script, with and without surrogate pairs, of several words and lines; no text holds NUL. */
const word = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    fc.string({ unit: fc.constantFrom('a', 'b', '\u0001', '\uffff', '😀', '𝓜'), minLength: 1, maxLength: 8 }),
  )
  .map((text) => text.replace(/[\0\s]/gu, ''))
  .filter((text) => text !== '');
const text = fc.array(fc.tuple(word, fc.constantFrom(' ', '\n')), { maxLength: 6 }).map((parts) =>
  parts
    .map(([part, separator]) => part + separator)
    .join('')
    .trimEnd(),
);

/** The grams of a text and the key of each. */
function visited(source: string): Map<string, number> {
  const grams = new Map<string, number>();
  visitGrams(source, (...units) => {
    const gram = String.fromCharCode(...units.filter((unit) => unit !== 0));
    grams.set(gram, gramKey(...units));
  });
  return grams;
}

/** Every run of one to three units without a separator. */
function runsOf(source: string): Set<string> {
  const runs = new Set<string>();
  for (const part of source.split(/[ \n]/)) {
    for (let at = 0; at < part.length; at++) {
      for (const length of [1, 2, 3]) if (at + length <= part.length) runs.add(part.slice(at, at + length));
    }
  }
  return runs;
}

it('the grams of a text are the runs of one to three units of its words', () => {
  fc.assert(
    fc.property(text, (source) => {
      expect(new Set(visited(source).keys())).toEqual(runsOf(source));
    }),
  );
});

it('keys are exact in a double and ordered by length, then by units, so no two grams share one', () => {
  const unit = fc.oneof(
    fc.integer({ min: 1, max: 0xffff }),
    fc.constantFrom(1, 2, 0x7fff, 0x8000, 0x8001, 0xd83d, 0xde00, 0xfffe, 0xffff),
  );
  const gram = fc.array(unit, { minLength: 1, maxLength: 3 });
  const inOrder = (one: readonly number[], other: readonly number[]): number => {
    if (one.length !== other.length) return Math.sign(one.length - other.length);
    const at = one.findIndex((value, index) => value !== other[index]);
    return at < 0 ? 0 : Math.sign((one[at] ?? 0) - (other[at] ?? 0));
  };
  const keyOf = ([first = 0, second, third]: readonly number[]): number => gramKey(first, second, third);
  fc.assert(
    fc.property(gram, gram, (one, other) => {
      expect(Math.sign(keyOf(one) - keyOf(other))).toBe(inOrder(one, other));
      expect(Number.isSafeInteger(keyOf(one))).toBe(true);
    }),
    { numRuns: propertyRuns(500) },
  );
});

describe('a word as it is looked up', () => {
  it('has only grams that occur wherever the word occurs', () => {
    fc.assert(
      fc.property(text, word, text, (before, wanted, after) => {
        const keys = new Set(visited(before + wanted + after).values());
        for (const gram of lookUpWord(wanted).grams) expect(keys).toContain(gram);
      }),
    );
  });

  it('is proven by its one gram when it is short, and by its bytes when it is longer', () => {
    fc.assert(
      fc.property(word, text, (wanted, source) => {
        const { grams, bytes } = lookUpWord(wanted);
        const keys = new Set(visited(source).values());
        const isPossible = grams.every((gram) => keys.has(gram));
        if (wanted.length > 3) expect(bytes?.toString()).toBe(wanted);
        else expect([bytes, grams.length, isPossible]).toEqual([null, 1, source.includes(wanted)]);
      }),
    );
  });

  it('has each of its grams once', () => {
    expect(lookUpWord('aaaaaaaa').grams).toEqual([gramKey(97, 97, 97)]);
    expect(lookUpWord('abab').grams).toHaveLength(2);
    expect(lookUpWord('😀').grams).toEqual([gramKey(0xd83d, 0xde00)]);
  });
});
