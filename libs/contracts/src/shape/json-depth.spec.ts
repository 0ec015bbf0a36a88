import fc from 'fast-check';
import { isTooDeep, jsonDepthMax } from './json-depth.js';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

const brackets = fc.string({ unit: fc.constantFrom('[', '{', ']', '}', '"', '\\', 'a'), maxLength: 30 });
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: jsonDepthMax + 4, withCrossShrink: true },
    brackets,
    fc.array(tie('value'), { minLength: 1, maxLength: 2 }),
    fc.dictionary(brackets, tie('value'), { minKeys: 1, maxKeys: 2 }),
  ),
}));
/** Some of them around the bound. */
const nested = fc.tuple(anyValue, fc.integer({ min: 0, max: jsonDepthMax + 2 })).map(([value, levels]) => {
  let outer = value;
  for (let level = 0; level < levels; level += 1) outer = { '"]': [outer] };
  return outer;
});

it('tells what is deeper than 20, whatever is in its strings', () => {
  fc.assert(
    fc.property(nested, fc.constantFrom(undefined, 2), (value, indent) => {
      expect(isTooDeep(JSON.stringify(value, null, indent))).toBe(depthOf(value) > jsonDepthMax);
    }),
  );
});

it('reads a text of any depth once', () => {
  expect(isTooDeep('['.repeat(5_000_000))).toBe(true);
  expect(isTooDeep('[]'.repeat(500_000))).toBe(false);
});
