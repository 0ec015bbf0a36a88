import { retryAfterSeconds } from './retry-after.js';

const now = Date.parse('2026-03-01T12:00:00.400Z');

it.each<[string | null, number | null]>([
  [null, null],
  ['', null],
  ['0', 0],
  ['7', 7],
  [' 7 ', 7],
  ['99999999999999999999', 1e20],
  ['Sun, 01 Mar 2026 12:00:03 GMT', 3],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['soon', null],
])('Retry-After: %s asks for %s seconds', (header, seconds) => {
  expect(retryAfterSeconds(header, now)).toBe(seconds);
});

it.each(['-1', '1.5', '1e3', 'NaN', 'Infinity'])(
  'Retry-After: %s never asks for a wait below 0',
  (header) => {
    expect(retryAfterSeconds(header, now) ?? 0).toBeGreaterThanOrEqual(0);
  },
);
