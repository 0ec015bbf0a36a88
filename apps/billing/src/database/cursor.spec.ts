import { ServiceError } from '@app/contracts';
import { decodeCursor, encodeCursor, isRowNumber, isTime } from './cursor.js';

describe('cursors', () => {
  it('come back as they were given out', () => {
    const position = ['2026-03-01T12:00:00.000Z', '42'];
    expect(decodeCursor(encodeCursor(position), [isTime, isRowNumber])).toEqual(position);
  });

  it.each([
    'nonsense',
    '',
    Buffer.from('{}').toString('base64url'),
    encodeCursor(['2026-03-01T12:00:00.000Z']),
    encodeCursor(['2026-03-01T12:00:00.000Z', '42', '43']),
    encodeCursor(['2026-02-30T12:00:00.000Z', '42']),
    encodeCursor(['9999999-01-01', '42']),
    encodeCursor(['2026-03-01T12:00:00.000Z', '9223372036854775808']),
    encodeCursor(['2026-03-01T12:00:00.000Z', '-1']),
  ])('that are not ours are refused before they reach the database: %j', (cursor) => {
    expect(() => decodeCursor(cursor, [isTime, isRowNumber])).toThrow(ServiceError);
  });
});
