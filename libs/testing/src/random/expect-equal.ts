import { isDeepStrictEqual } from 'node:util';

/** As `expect(found).toEqual(expected)`, which takes a hundred times as long and is needed only to show a difference. */
export function expectEqual(found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  expect(found).toEqual(expected);
}
