/** Up to three UTF-16 units as one number: exact in a double, and different for every length (no text holds NUL). */
export function gramKey(first: number, second = 0, third = 0): number {
  if (third !== 0) return (first * 0x1_0000 + second) * 0x1_0000 + third;
  return second === 0 ? first : first * 0x1_0000 + second;
}

/** A word in the form in which the index looks it up. */
export interface WordLookup {
  /** Each of them occurs wherever the word occurs. */
  readonly grams: readonly number[];
  /** The bytes to look for where all of them occur; `null` when the only gram is the word itself. */
  readonly bytes: Buffer | null;
}

const gramLength = 3;

/** `word` is folded, not empty, and has no white space. */
export function lookUpWord(word: string): WordLookup {
  const unit = (at: number): number => word.charCodeAt(at);
  if (word.length === 1) return { grams: [gramKey(unit(0))], bytes: null };
  if (word.length === 2) return { grams: [gramKey(unit(0), unit(1))], bytes: null };
  const grams = new Set<number>();
  for (let at = 0; at + gramLength <= word.length; at++) {
    grams.add(gramKey(unit(at), unit(at + 1), unit(at + 2)));
  }
  return { grams: [...grams], bytes: word.length === gramLength ? null : Buffer.from(word) };
}

const space = 0x20;
const lineFeed = 0x0a;

/** Calls `visit` with the units of every gram of every word of a text, repeated ones too. */
export function visitGrams(
  text: string,
  visit: (first: number, second: number, third: number) => void,
): void {
  let first = 0;
  let second = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === space || unit === lineFeed) {
      first = 0;
      second = 0;
      continue;
    }
    visit(unit, 0, 0);
    if (second !== 0) visit(second, unit, 0);
    if (first !== 0) visit(first, second, unit);
    first = second;
    second = unit;
  }
}
