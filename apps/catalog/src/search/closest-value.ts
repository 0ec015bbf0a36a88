/** A value of a filter, and the key by which it is compared. */
export interface KnownValue {
  readonly key: string;
  readonly name: string;
}

/** So few letters may be missing, wrong or in another order: a quarter of them. */
const lettersPerMistake = 4;
const mistakesMax = 3;

/** The name of the value that a misspelled one most probably means: of several as near, the first. `null` when none is near. */
export function closestValue(misspelled: string, values: Iterable<KnownValue>): string | null {
  const letters = [...misspelled];
  let most = Math.min(mistakesMax, Math.floor(letters.length / lettersPerMistake));
  let closest: string | null = null;
  for (const { key, name } of values) {
    if (most === 0) break;
    const mistakes = countMistakes(letters, [...key], most);
    if (mistakes > most) continue;
    closest = name;
    most = mistakes - 1;
  }
  return closest;
}

/** Letters that are added, left out, replaced or exchanged with the next one; a number above `most` when there are more. */
function countMistakes(one: readonly string[], other: readonly string[], most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [row, letter] of one.entries()) {
    const current = [row + 1];
    for (const [column, otherLetter] of other.entries()) {
      const replaced = (last[column] ?? 0) + (letter === otherLetter ? 0 : 1);
      const added = Math.min(last[column + 1] ?? 0, current[column] ?? 0) + 1;
      const isExchanged = letter === other[column - 1] && one[row - 1] === otherLetter;
      const exchanged = isExchanged ? (beforeLast[column - 1] ?? 0) + 1 : Infinity;
      current.push(Math.min(replaced, added, exchanged));
    }
    if (Math.min(...current, ...last) > most) return most + 1;
    [beforeLast, last] = [last, current];
  }
  return last.at(-1) ?? 0;
}
