import fc from 'fast-check';
import { calendarDaysUntil, dayMs, dayOf, daysBetween, formatExactMoment } from './dates.js';

const times = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2060, 0) });
const iso = (at: number): string => new Date(at).toISOString();

describe('calendarDaysUntil', () => {
  it('is 30 for what expires in 30 days, at every instant', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 400 }), (now, days) => {
        expect(calendarDaysUntil(iso(now + days * dayMs), now)).toBe(days);
      }),
    );
  });

  it('counts midnights: the same all day long, and one less a day later', () => {
    fc.assert(
      fc.property(times, times, fc.integer({ min: 0, max: dayMs - 1 }), (now, at, ms) => {
        const startOfDay = Date.parse(dayOf(now));
        const days = calendarDaysUntil(iso(at), now);
        expect(calendarDaysUntil(iso(at), startOfDay + ms)).toBe(days);
        expect(calendarDaysUntil(iso(at), now + dayMs)).toBe(days - 1);
        if (days >= 0) expect(daysBetween(dayOf(now), dayOf(at))).toHaveLength(days + 1);
      }),
    );
  });

  it.each([
    ['2026-03-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z', 1],
    ['2026-02-28T23:59:59.999Z', '2026-02-28T00:00:00.000Z', 0],
  ])('of %s at %s is %i', (at, now, days) => {
    expect(calendarDaysUntil(at, Date.parse(now))).toBe(days);
  });
});

describe('formatExactMoment', () => {
  it('says a time to the millisecond, in UTC', () => {
    expect(formatExactMoment('2026-11-23T02:05:07.089Z')).toBe('23 Nov 2026, 02:05:07.089 UTC');
    expect(formatExactMoment('2026-11-23T23:00:00.000+01:00')).toBe('23 Nov 2026, 22:00:00.000 UTC');
  });
});
