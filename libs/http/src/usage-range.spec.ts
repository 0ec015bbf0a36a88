import { ServiceError } from '#contracts';
import { usageRange } from './usage-range.js';

const now = new Date('2026-03-15T23:30:00Z');

describe('usageRange', () => {
  it('gives the last 30 days when nothing is asked for', () => {
    expect(usageRange(undefined, undefined, now)).toEqual({ from: '2026-02-14', to: '2026-03-15' });
  });

  it('gives the 30 days up to `to`, and everything since `from`', () => {
    expect(usageRange(undefined, '2026-01-30', now)).toEqual({ from: '2026-01-01', to: '2026-01-30' });
    expect(usageRange('2026-03-01', undefined, now)).toEqual({ from: '2026-03-01', to: '2026-03-15' });
  });

  it('takes one day and a leap year whole', () => {
    expect(usageRange('2026-03-15', '2026-03-15', now)).toEqual({ from: '2026-03-15', to: '2026-03-15' });
    expect(usageRange('2024-01-01', '2024-12-31', now)).toEqual({ from: '2024-01-01', to: '2024-12-31' });
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
