import fc from 'fast-check';
import { decodeCursor, encodeCursor, isRowNumber, isTime } from './cursor.js';

it('a cursor gives back the position that it was made from, and needs no encoding in a URL', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (position) => {
      const cursor = encodeCursor(position);
      expect(cursor).toMatch(/^[\w-]*$/);
      const checks = position.map(() => () => true);
      expect(decodeCursor(cursor, checks)).toEqual(position);
    }),
  );
});

it.each([
  ['is not base64url of JSON', 'nonsense'],
  ['is not a list', Buffer.from('{}').toString('base64url')],
  ['has too many parts', encodeCursor(['1', '2'])],
  ['has a number', Buffer.from('[1]').toString('base64url')],
  ['has a negative part', encodeCursor(['-1'])],
  ['has a part that no bigint holds', encodeCursor(['9'.repeat(19)])],
  ['has SQL in a part', encodeCursor(['1; DROP'])],
])('a cursor that %s is refused', (_reason, cursor) => {
  expect(() => decodeCursor(cursor, [isRowNumber])).toThrow('This is not a cursor from a previous page');
});

it.each(['2026-02-30T00:00:00.000Z', '2026-01-01', '0000-01-01T00:00:00.000Z', 'now'])(
  'a time in a cursor is written as we write it, and not as %s',
  (part) => expect([new Date().toISOString(), part].map(isTime)).toEqual([true, false]),
);
