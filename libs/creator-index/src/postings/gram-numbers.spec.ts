import { expectEqual, numbersFrom } from '#testing/random';
import { GramNumbers } from './gram-numbers.js';
import { gramKey } from './grams.js';

type Gram = readonly [first: number, second: number, third: number];

/** Grams of one, two and three units, of few units or of all. */
function gramsFrom(seed: number, count: number, units: number): Gram[] {
  const next = numbersFrom(seed);
  const unit = (): number => 1 + next(units);
  return Array.from({ length: count }, () => {
    const length = 1 + next(3);
    return [unit(), length > 1 ? unit() : 0, length > 2 ? unit() : 0];
  });
}

function compare(grams: readonly Gram[]): number {
  const numbers = new GramNumbers();
  const model = new Map<number, number>();
  for (const gram of grams) {
    const key = gramKey(...gram);
    const expected = model.get(key) ?? model.size;
    model.set(key, expected);
    const number = numbers.numberOf(...gram);
    expectEqual({ gram, number }, { gram, number: expected });
  }
  expect(numbers.size).toBe(model.size);
  const sorted = [...model].sort(([one], [other]) => one - other);
  const { keys, positions } = numbers.sorted();
  expectEqual(
    [...keys],
    sorted.map(([key]) => key),
  );
  expectEqual(
    sorted.map(([, number]) => positions[number]),
    [...keys.keys()],
  );
  return model.size;
}

it('grams keep their numbers when there are more than a hundred thousand', () => {
  const grams = gramsFrom(7, 160_000, 0xffff);
  expect(compare([...grams, ...grams.slice(0, 5_000)])).toBeGreaterThan(100_000);
});

it('grams of the same units in another number or order are different', () => {
  const units = [1, 2, 0xd83d, 0xde00, 0xffff];
  const grams = units.flatMap((a) =>
    units.flatMap((b) => [[a, 0, 0], [a, b, 0], ...units.map((c): Gram => [a, b, c])] as Gram[]),
  );
  expect(compare(grams)).toBe(5 + 25 + 125);
});
