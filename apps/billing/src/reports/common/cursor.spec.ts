import fc from 'fast-check';
import { decodeCursor, encodeCursor, isRowNumber, isTime } from './cursor.js';

const anything = (): boolean => true;

describe('a cursor', () => {
  it('gives back the position that it was made from, and needs no encoding in a URL', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (position) => {
        const cursor = encodeCursor(position);
        expect(cursor).toMatch(/^[\w-]*$/);
        expect(
          decodeCursor(
            cursor,
            position.map(() => anything),
          ),
        ).toEqual(position);
      }),
    );
  });

  it.each([
    ['is not base64url of JSON', 'nonsense'],
    ['is empty', ''],
    ['is not a list', Buffer.from('{}').toString('base64url')],
    ['has too many parts', encodeCursor(['1', '2'])],
    ['has a number', Buffer.from('[1]').toString('base64url')],
    ['has an invalid part', encodeCursor(['x'])],
  ])('that %s is refused', (_reason, cursor) => {
    const refusal = { code: 'invalid_request', details: { cursor: [expect.any(String) as string] } };
    const decoded = new Promise((resolve) => resolve(decodeCursor(cursor, [isRowNumber])));
    return expect(decoded).rejects.toMatchObject(refusal);
  });
});

it('accepts numbers of rows only', () => {
  expect(['1', '999999999999999999'].map(isRowNumber)).toEqual([true, true]);
  expect(['', '-1', '1.5', '9'.repeat(19), '1; DROP'].some(isRowNumber)).toBe(false);
});

it('accepts times only in the form in which we write them', () => {
  const times = fc.date({
    min: new Date('2000-01-01'),
    max: new Date('9999-12-31'),
    noInvalidDate: true,
  });
  fc.assert(fc.property(times, (time) => isTime(time.toISOString())));
  for (const part of ['2026-02-30T00:00:00.000Z', '2026-01-01', '0000-01-01T00:00:00.000Z', 'now']) {
    expect(isTime(part)).toBe(false);
  }
});
