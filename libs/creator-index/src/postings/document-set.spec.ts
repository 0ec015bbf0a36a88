import { expectEqual, numbersFrom, propertyRuns } from '#testing/random';
import fc from 'fast-check';
import {
  bitmapWords,
  countBits,
  countWithout,
  flipBit,
  hasBit,
  intersectBitmap,
  intersectLists,
  isList,
  isSmallerAsList,
  listBits,
  lowerBound,
  setBit,
  subtractBitmap,
  uniteSets,
} from './document-set.js';
import { writeSet } from './postings.js';

const sizes = [0, 1, 31, 32, 33, 63, 64, 65, 4_095, 4_096, 4_097, 65_535];

/** A subset of the documents: none, few, about half, nearly all or all, often with the first and the last one. */
function chosenFrom(documents: number): fc.Arbitrary<number[]> {
  return fc
    .record({
      perMille: fc.constantFrom(0, 1, 20, 70, 500, 990, 1_000),
      seed: fc.nat(),
      ends: fc.subarray([0, documents - 1]),
    })
    .map(({ perMille, seed, ends }) => {
      const next = numbersFrom(seed);
      const chosen = Array.from({ length: documents }, (_, document) => document);
      return chosen.filter(
        (document) => next(1_000) < perMille || (documents > 0 && ends.includes(document)),
      );
    });
}

const numRuns = propertyRuns(40);

/** A number of documents, with two sets of them. */
const twoSets = fc
  .oneof(
    { weight: 15, arbitrary: fc.constantFrom(...sizes.slice(0, -1)) },
    { weight: 1, arbitrary: fc.constant(65_535) },
  )
  .chain((documents) =>
    fc.record({
      documents: fc.constant(documents),
      one: chosenFrom(documents),
      other: chosenFrom(documents),
    }),
  );

function bitmapOf(chosen: readonly number[], documents: number): Uint32Array {
  const bitmap = new Uint32Array(bitmapWords(documents));
  for (const document of chosen) setBit(bitmap, document);
  return bitmap;
}

function listed(bitmap: Uint32Array, documents: number): number[] {
  const list = new Uint16Array(documents);
  return [...list.subarray(0, listBits(bitmap, list))];
}

function common(one: readonly number[], other: readonly number[]): number[] {
  const known = new Set(other);
  return one.filter((document) => known.has(document));
}

describe('a bitmap', () => {
  it('holds what was set or flipped, and nothing else', () => {
    const steps = fc.array(fc.record({ at: fc.nat(999), isFlipped: fc.boolean() }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.constantFrom(...sizes.slice(1)), steps, (documents, changes) => {
        const bitmap = new Uint32Array(bitmapWords(documents));
        const model = new Set<number>();
        for (const { at, isFlipped } of changes) {
          const document = at < 500 ? at % documents : documents - 1 - (at % documents);
          if (isFlipped) flipBit(bitmap, document);
          else setBit(bitmap, document);
          if (isFlipped && model.has(document)) model.delete(document);
          else model.add(document);
          expectEqual(hasBit(bitmap, document), model.has(document));
        }
        expectEqual(
          listed(bitmap, documents),
          [...model].sort((one, other) => one - other),
        );
        expect(countBits(bitmap)).toBe(model.size);
      }),
    );
  });

  it('is listed in order, and no further than there is room', () => {
    fc.assert(
      fc.property(twoSets, fc.nat(70_000), ({ documents, one }, room) => {
        const bitmap = bitmapOf(one, documents);
        expect(countBits(bitmap)).toBe(one.length);
        const list = new Uint16Array(room);
        const count = listBits(bitmap, list);
        expect(count).toBe(Math.min(room, one.length));
        expectEqual([...list.subarray(0, count)], one.slice(0, room));
      }),
      { numRuns },
    );
  });

  it('loses to an intersection what the other has not, and to a subtraction what it has', () => {
    fc.assert(
      fc.property(twoSets, ({ documents, one, other }) => {
        const both = bitmapOf(one, documents);
        intersectBitmap(both, bitmapOf(other, documents));
        const inBoth = common(one, other);
        expectEqual(listed(both, documents), inBoth);
        const rest = bitmapOf(one, documents);
        subtractBitmap(rest, bitmapOf(other, documents));
        const known = new Set(inBoth);
        expectEqual(
          listed(rest, documents),
          one.filter((document) => !known.has(document)),
        );
      }),
      { numRuns },
    );
  });
});

describe('two lists', () => {
  it('have in common what two sets have, into a separate list or over the first of them', () => {
    fc.assert(
      fc.property(twoSets, ({ one, other }) => {
        const expected = common(one, other);
        const first = Uint16Array.from(one);
        const second = Uint16Array.from(other);
        const target = new Uint16Array(one.length);
        expectEqual([...target.subarray(0, intersectLists(first, second, target))], expected);
        expectEqual([...first], one);
        expectEqual([...first.subarray(0, intersectLists(first, second, first))], expected);
        expectEqual([...second], other);
      }),
      { numRuns },
    );
  });

  it('of very different lengths have in common what two sets have, at any distance', () => {
    const far = fc.uniqueArray(fc.nat(65_534), { maxLength: 5 });
    fc.assert(
      fc.property(far, fc.integer({ min: 1, max: 40 }), (chosen, every) => {
        const short = chosen.sort((one, other) => one - other);
        const long = Uint16Array.from({ length: Math.floor(65_535 / every) }, (_, index) => index * every);
        const expected = short.filter((document) => document % every === 0 && document / every < long.length);
        const target = new Uint16Array(5);
        for (const [one, other] of [
          [Uint16Array.from(short), long],
          [long, Uint16Array.from(short)],
        ] as const) {
          expectEqual([...target.subarray(0, intersectLists(one, other, target))], expected);
        }
      }),
    );
  });
});

describe('the form of a set', () => {
  it.each(sizes)(
    'is the smaller one in bytes, a list when both are the same, of %d documents',
    (documents) => {
      const bitmapBytes = Math.ceil(documents / 32) * 4;
      for (const size of new Set([
        0,
        1,
        bitmapBytes / 2 - 1,
        bitmapBytes / 2,
        bitmapBytes / 2 + 1,
        documents,
      ])) {
        if (size < 0 || size > documents) continue;
        expect(isSmallerAsList(size, documents)).toBe(size * 2 <= bitmapBytes);
      }
    },
  );

  it('makes no difference to what is written and read again, beside another set', () => {
    const forms = { list: 0, bitmap: 0 };
    fc.assert(
      fc.property(twoSets, ({ documents, one, other }) => {
        const places = [one, other].map((chosen) =>
          isSmallerAsList(chosen.length, documents)
            ? Math.ceil(chosen.length / 2)
            : Math.ceil(documents / 32),
        );
        const [first = 0, second = 0] = places;
        const sets = new Uint32Array(1 + first + second);
        writeSet(sets, 1, Uint16Array.from(one), documents);
        writeSet(sets, 1 + first, Uint16Array.from(other), documents);
        for (const { chosen, offset, words } of [
          { chosen: one, offset: 1, words: first },
          { chosen: other, offset: 1 + first, words: second },
        ]) {
          const asList = isSmallerAsList(chosen.length, documents);
          const set = asList
            ? new Uint16Array(sets.buffer, offset * 4, chosen.length)
            : sets.subarray(offset, offset + words);
          forms[isList(set) ? 'list' : 'bitmap'] += 1;
          expectEqual(isList(set) ? [...set] : listed(set, documents), chosen);
        }
        expect(sets[0]).toBe(0);
      }),
      { numRuns },
    );
    expect(Math.min(forms.list, forms.bitmap)).toBeGreaterThan(8);
  });
});

it('sets in either form are united, and counted without others', () => {
  const setOf = (chosen: readonly number[], documents: number): Uint16Array | Uint32Array =>
    isSmallerAsList(chosen.length, documents) ? Uint16Array.from(chosen) : bitmapOf(chosen, documents);
  fc.assert(
    fc.property(twoSets, ({ documents, one, other }) => {
      const union = [...new Set([...one, ...other])].sort((a, b) => a - b);
      const united = uniteSets([setOf(one, documents), setOf(other, documents)], documents);
      expectEqual(united, setOf(union, documents));
      const rest = one.length - common(one, other).length;
      expect(countWithout(setOf(one, documents), bitmapOf(other, documents))).toBe(rest);
    }),
    { numRuns: propertyRuns(60) },
  );
});

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

it('the search is limited to two positions, and returns the later one when all values between are below', () => {
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
