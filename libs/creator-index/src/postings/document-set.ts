/**
 * Sets of document numbers below 65,536 in the smaller of two forms, as in Roaring's containers: a sorted list, or a
 * bit for every document.
 */
export type DocumentSet = Uint16Array | Uint32Array;

export function isList(set: DocumentSet): set is Uint16Array {
  return set instanceof Uint16Array;
}

/** Number of words in a bitmap over this many documents. */
export function bitmapWords(documents: number): number {
  return (documents + 31) >>> 5;
}

/** Whether a list of this size is smaller than a bitmap over all documents. */
export function isSmallerAsList(size: number, documents: number): boolean {
  return size <= bitmapWords(documents) * 2;
}

export function hasBit(bitmap: Uint32Array, document: number): boolean {
  return (((bitmap[document >>> 5] ?? 0) >>> (document & 31)) & 1) === 1;
}

export function setBit(bitmap: Uint32Array, document: number): void {
  const word = document >>> 5;
  bitmap[word] = (bitmap[word] ?? 0) | (1 << (document & 31));
}

/** Adds a document, or removes it. */
export function flipBit(bitmap: Uint32Array, document: number): void {
  const word = document >>> 5;
  bitmap[word] = (bitmap[word] ?? 0) ^ (1 << (document & 31));
}

/** Intersects `target` with `other`, in place. */
export function intersectBitmap(target: Uint32Array, other: Uint32Array): void {
  for (let word = 0; word < target.length; word++) target[word] = (target[word] ?? 0) & (other[word] ?? 0);
}

/** Sets the bits of all documents. */
export function fillBitmap(bitmap: Uint32Array, documents: number): void {
  bitmap.fill(0xffff_ffff);
  const rest = documents & 31;
  if (rest > 0) bitmap[bitmap.length - 1] = 2 ** rest - 1;
}

/** The documents that are in one of the sets at least, of so many documents, in the smaller of the two forms. */
export function uniteSets(sets: readonly DocumentSet[], documents: number): DocumentSet {
  const union = new Uint32Array(bitmapWords(documents));
  for (const set of sets) {
    if (isList(set)) for (const document of set) setBit(union, document);
    else for (let word = 0; word < union.length; word++) union[word] = (union[word] ?? 0) | (set[word] ?? 0);
  }
  const size = countBits(union);
  if (!isSmallerAsList(size, documents)) return union;
  const list = new Uint16Array(size);
  listBits(union, list);
  return list;
}

/** The number of documents of a set that are not in `bitmap`. */
export function countWithout(set: DocumentSet, bitmap: Uint32Array): number {
  let count = 0;
  if (isList(set)) {
    for (let at = 0; at < set.length; at++) if (!hasBit(bitmap, set[at] ?? 0)) count += 1;
  } else {
    for (let word = 0; word < set.length; word++) count += bitCount((set[word] ?? 0) & ~(bitmap[word] ?? 0));
  }
  return count;
}

/** Removes the documents in `other` from `target`. */
export function subtractBitmap(target: Uint32Array, other: Uint32Array): void {
  for (let word = 0; word < target.length; word++) target[word] = (target[word] ?? 0) & ~(other[word] ?? 0);
}

/** Adds up four words bit by bit before it counts any (Harley and Seal): twice as fast as counting each word. */
export function countBits(bitmap: Uint32Array): number {
  const afterFours = bitmap.length & ~3;
  let ones = 0;
  let twos = 0;
  let fours = 0;
  for (let word = 0; word < afterFours; word += 4) {
    const first = bitmap[word] ?? 0;
    const second = bitmap[word + 1] ?? 0;
    const third = bitmap[word + 2] ?? 0;
    const fourth = bitmap[word + 3] ?? 0;
    const carry = majority(ones, first, second);
    ones ^= first ^ second;
    const nextCarry = majority(ones, third, fourth);
    ones ^= third ^ fourth;
    fours += bitCount(majority(twos, carry, nextCarry));
    twos ^= carry ^ nextCarry;
  }
  let count = 4 * fours + 2 * bitCount(twos) + bitCount(ones);
  for (let word = afterFours; word < bitmap.length; word++) count += bitCount(bitmap[word] ?? 0);
  return count;
}

/** The bits that are set in two at least. */
function majority(one: number, two: number, three: number): number {
  return (one & two) | ((one ^ two) & three);
}

function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/**
 * Writes the documents of a bitmap from `from` on that are not in `without` into `list`, in order and at most
 * `list.length`; returns how many.
 */
export function listBits(bitmap: Uint32Array, list: Uint16Array, from = 0, without?: Uint32Array): number {
  let count = 0;
  const start = from >>> 5;
  for (let index = start; index < bitmap.length; index++) {
    let word = (bitmap[index] ?? 0) & ~(without?.[index] ?? 0);
    if (index === start) word &= -1 << (from & 31);
    while (word !== 0) {
      if (count === list.length) return count;
      list[count++] = index * 32 + (31 - Math.clz32(word & -word));
      word &= word - 1;
    }
  }
  return count;
}

/**
 * Keeps those of the first `count` documents of a list whose bit is `value`; returns how many. Every document is written
 * and the bit only counts: the processor cannot guess the bits, and would lose more by guessing them wrong.
 */
export function keepByBit(list: Uint16Array, count: number, bitmap: Uint32Array, value: 0 | 1): number {
  return copyByBit(list, count, bitmap, value, list);
}

function copyByBit(
  list: Uint16Array,
  count: number,
  bitmap: Uint32Array,
  value: 0 | 1,
  target: Uint16Array,
): number {
  const flip = value ^ 1;
  let kept = 0;
  for (let at = 0; at < count; at++) {
    const document = list[at] ?? 0;
    target[kept] = document;
    kept += (((bitmap[document >>> 5] ?? 0) >>> (document & 31)) & 1) ^ flip;
  }
  return kept;
}

/**
 * From this ratio of lengths on, looking up each document of the shorter list is faster than reading the longer one.
 */
const muchLonger = 16;

const marks = new Uint32Array(2_048);

/**
 * Writes the intersection of two sorted lists into `target`, which may be `one` itself, and returns its size. `one`
 * should be the shorter list.
 */
export function intersectLists(one: Uint16Array, other: Uint16Array, target: Uint16Array): number {
  return other.length > one.length * muchLonger
    ? intersectByLooking(one, other, target)
    : intersectByMarking(one, other, target);
}

/** Through a bitmap of the shorter list: twice as fast as reading both side by side, which is all comparisons. */
function intersectByMarking(one: Uint16Array, other: Uint16Array, target: Uint16Array): number {
  marks.fill(0);
  for (let at = 0; at < one.length; at++) setBit(marks, one[at] ?? 0);
  return copyByBit(other, other.length, marks, 1, target);
}

/** By galloping: the steps double. */
function intersectByLooking(one: Uint16Array, other: Uint16Array, target: Uint16Array): number {
  let count = 0;
  let from = 0;
  for (let at = 0; at < one.length && from < other.length; at++) {
    const document = one[at] ?? 0;
    from = gallopTo(other, document, from);
    if (other[from] === document) target[count++] = document;
  }
  return count;
}

/** Like `lowerBound` from `from` on, for a position that is likely to be near. */
function gallopTo(list: Uint16Array, value: number, from: number): number {
  let step = 1;
  let low = from;
  while (low + step < list.length && (list[low + step] ?? 0) < value) {
    low += step;
    step *= 2;
  }
  return lowerBound(list, value, low, Math.min(low + step, list.length));
}

/**
 * The first position from `low` to below `high` whose value is not below `value`, or `high`; `values` ascend. A binary
 * search.
 */
export function lowerBound(
  values: Uint16Array | Uint32Array | Float64Array,
  value: number,
  low = 0,
  high = values.length,
): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((values[middle] ?? 0) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
