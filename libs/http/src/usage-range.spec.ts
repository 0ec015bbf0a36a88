import { ServiceError } from '#contracts';
import { usageRange } from './usage-range.js';

const now = new Date('2026-03-15T23:30:00Z');

describe('usageRange', () => {
  it.each([
    [undefined, undefined, '2026-02-14', '2026-03-15'],
    [undefined, '2026-01-30', '2026-01-01', '2026-01-30'],
    ['2026-03-01', undefined, '2026-03-01', '2026-03-15'],
    ['2024-01-01', '2024-12-31', '2024-01-01', '2024-12-31'],
  ])('of %s to %s is %s to %s', (askedFrom, askedTo, from, to) => {
    expect(usageRange(askedFrom, askedTo, now)).toEqual({ from, to });
  });

  it.each([
    ['2026-03-02', '2026-03-01', 'later'],
    ['2024-01-01', '2025-01-01', '366 days'],
    [undefined, '2000-01-29', 'before 2000-01-01'],
  ])('refuses %s to %s, naming both', (from, to, reason) => {
    const refusal = (): unknown => usageRange(from, to, now);
    expect(refusal).toThrow(ServiceError);
    expect(refusal).toThrow(reason);
  });
});
