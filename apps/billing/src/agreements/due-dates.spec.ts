import fc from 'fast-check';
import { dueDate } from './due-dates.js';

const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A calendar on foot, one month at a time. */
function naiveDueDate(start: string, index: number): string {
  let year = Number(start.slice(0, 4));
  let month = Number(start.slice(5, 7));
  for (let step = 0; step < index; step += 1) {
    month += 1;
    if (month === 13) [year, month] = [year + 1, 1];
  }
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const last = month === 2 && leap ? 29 : (daysInMonth[month - 1] ?? 0);
  const day = Math.min(Number(start.slice(8, 10)), last);
  const pad = (value: number): string => String(value).padStart(2, '0');
  return `${year}-${pad(month)}-${pad(day)}${start.slice(10)}`;
}

describe('dueDate', () => {
  it.each([
    ['2024-01-31T10:00:00.000Z', 1, '2024-02-29T10:00:00.000Z'],
    ['2023-01-31T10:00:00.000Z', 1, '2023-02-28T10:00:00.000Z'],
    ['2024-01-31T10:00:00.000Z', 2, '2024-03-31T10:00:00.000Z'],
    ['2024-10-31T23:59:59.999Z', 1, '2024-11-30T23:59:59.999Z'],
    ['2024-12-15T00:00:00.000Z', 1, '2025-01-15T00:00:00.000Z'],
    ['2024-05-05T05:05:05.000Z', 0, '2024-05-05T05:05:05.000Z'],
  ])('%s, month %i: %s', (start, index, due) => {
    expect(dueDate(new Date(start), index).toISOString()).toBe(due);
  });

  it('agrees with a naive calendar', () => {
    const starts = fc.date({
      min: new Date('2000-01-01T00:00:00Z'),
      max: new Date('2090-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(starts, fc.nat(120), (start, index) => {
        expect(dueDate(start, index).toISOString()).toBe(naiveDueDate(start.toISOString(), index));
      }),
    );
  });
});
