import fc from 'fast-check';
import { endOfDay, isDay, isTooDeep, isZonedTime, jsonDepthMax, pastTime, utcTime } from './formats.js';

const hourMs = 3_600_000;
const anyTime = fc.date({
  min: new Date('2000-01-01'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});

it('days and times are from 2000-01-01 to 9999-12-31, once they are in UTC', () => {
  for (const year of ['0000', '0001', '1999']) expect(isDay(`${year}-12-31`)).toBe(false);
  for (const day of ['2000-01-01', '2000-02-29', '9999-12-31']) expect(isDay(day)).toBe(true);
  for (const [time, isTime] of [
    ['0000-01-01T00:00:00Z', false],
    ['2000-01-01T00:00:00+00:01', false],
    ['1999-12-31T23:59:00-00:01', true],
    ['9999-12-31T23:59:59.999Z', true],
    ['9999-12-31T24:00:00Z', false],
    ['9999-12-31T23:59:00-00:01', false],
  ] as const) {
    expect([time, isZonedTime(time), utcTime(time) !== null]).toEqual([time, isTime, isTime]);
  }
  expect(endOfDay('2026-12-31')).toBe('2027-01-01T00:00:00.000Z');
  expect(endOfDay('9999-12-31')).toBeNull();
});

it('a day has been from its beginning at UTC+14 on, and is never later than now', () => {
  fc.assert(
    fc.property(anyTime, fc.integer({ min: -48, max: 48 }), (now, hours) => {
      const day = new Date(now.getTime() + hours * hourMs).toISOString().slice(0, 10);
      fc.pre(isDay(day));
      const hasBegun = Date.parse(`${day}T00:00:00+14:00`) <= now.getTime();
      const at = Math.min(Date.parse(day), now.getTime());
      expect(pastTime(day, now)).toBe(hasBegun ? new Date(at).toISOString() : null);
    }),
  );
});

it('a time has been unless it is later than now', () => {
  fc.assert(
    fc.property(anyTime, anyTime, fc.nat(), (time, now, aheadMs) => {
      const isPast = time.getTime() <= now.getTime() + aheadMs;
      expect(pastTime(time.toISOString(), now, aheadMs)).toBe(isPast ? time.toISOString() : null);
    }),
  );
});

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

it('JSON that is deeper than 20 is found, whatever is in its strings', () => {
  fc.assert(
    fc.property(nested, fc.constantFrom(undefined, 2), (value, indent) => {
      expect(isTooDeep(JSON.stringify(value, null, indent))).toBe(depthOf(value) > jsonDepthMax);
    }),
  );
});

it('the depth of JSON is found in one pass', () => {
  expect(isTooDeep('['.repeat(5_000_000))).toBe(true);
  expect(isTooDeep('[]'.repeat(500_000))).toBe(false);
});
