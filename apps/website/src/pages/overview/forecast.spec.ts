import { type Lot, type UsageRow } from '#contracts';
import fc from 'fast-check';
import { dayMs, dayOf } from '../../view/dates.js';
import { forecast, pacePerDay } from './forecast.js';

const now = Date.parse('2026-11-23T14:30:00.000Z');

function used(daysAgo: number, credits: number): UsageRow {
  return { day: dayOf(now - daysAgo * dayMs), key_id: 'k', operation: 'search', calls: 1, credits };
}

function lot(boughtDaysAgo: number, remaining: number): Lot {
  const at = (days: number): string => new Date(now + days * dayMs).toISOString();
  return {
    pack: 'builder',
    credits: 500,
    remaining,
    purchased_at: at(-boughtDaysAgo),
    expires_at: at(30 - boughtDaysAgo),
  };
}

describe('the pace', () => {
  it('is not known before three days of use', () => {
    for (const rows of [
      [],
      [used(0, 38)],
      [used(1, 38), used(0, 5)],
      [used(2, 38)],
      [used(9, 0), used(1, 5)],
    ]) {
      expect(pacePerDay(rows, now)).toBe(0);
    }
  });

  it('is what was spent a day since the first use', () => {
    const start = Date.parse('2026-11-23T00:00:00.000Z');
    expect(pacePerDay([used(3, 20), used(1, 10)], start)).toBe(10);
    expect(pacePerDay([used(10, 60), used(9, 0)], start)).toBe(6);
  });
});

describe('a forecast', () => {
  it('is not made without a pace or without credits', () => {
    expect(forecast([lot(0, 500)], 0, now)).toBeNull();
    expect(forecast([lot(0, 0)], 10, now)).toBeNull();
  });

  it('spends the lots in their order', () => {
    expect(forecast([lot(20, 50), lot(1, 100)], 10, now)).toEqual({ days: 15, isSpent: true, unused: 0 });
  });

  it('names credits that will expire, and not those that were just bought', () => {
    expect(forecast([lot(0, 500)], 1, now)).toEqual({ days: 30, isSpent: false, unused: 0 });
    expect(forecast([lot(10, 500)], 10, now)).toEqual({ days: 20, isSpent: false, unused: 300 });
    expect(forecast([lot(20, 200), lot(2, 500)], 10, now)).toMatchObject({ isSpent: false, unused: 100 });
  });

  it('never names more than there is, and ends by the last expiry', () => {
    const lots = fc.array(
      fc.record({ age: fc.integer({ min: 0, max: 29 }), left: fc.integer({ min: 1, max: 900 }) }),
      {
        minLength: 1,
      },
    );
    fc.assert(
      fc.property(lots, fc.double({ min: 0.01, max: 1_000, noNaN: true }), (items, pace) => {
        const sorted = items.sort((one, other) => other.age - one.age).map(({ age, left }) => lot(age, left));
        const { days, unused } = forecast(sorted, pace, now) ?? { days: NaN, unused: NaN };
        expect(unused).toBeLessThanOrEqual(sorted.reduce((sum, { remaining }) => sum + remaining, 0));
        expect(days).toBeLessThanOrEqual((Date.parse(sorted.at(-1)?.expires_at ?? '') - now) / dayMs + 1e-6);
      }),
    );
  });
});
