import { formatBytes, formatMoney, formatTime } from './format.js';

describe('formats', () => {
  it('writes money in dollars, from cents', () => {
    expect([formatMoney(1_900), formatMoney(59_905), formatMoney(180_000)]).toEqual([
      '$19.00',
      '$599.05',
      '$1,800.00',
    ]);
  });

  it('writes times short, in UTC', () => {
    expect(formatTime('2026-01-31T23:59:59.123+02:00')).toBe('2026-01-31 21:59');
    expect(formatTime(null)).toBe('-');
  });

  it('writes sizes with their unit', () => {
    expect([0, 1_023, 1_536, 5 * 1024 ** 3].map(formatBytes)).toEqual([
      '0 B',
      '1023 B',
      '1.5 KiB',
      '5.0 GiB',
    ]);
  });
});
