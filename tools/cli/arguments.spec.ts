import { none, parseCount, parseDollars, parseExpiry, parseInteger } from './arguments.js';

it.each<[(text: string) => unknown, string, unknown]>([
  [parseDollars, '1800', 180_000],
  [parseDollars, '$1,800.05', 180_005],
  [parseDollars, '0.29', 29],
  [parseInteger, '10,000', 10_000],
  [parseInteger, '-25', -25],
  [parseCount, '20', 20],
  [parseExpiry, 'never', none],
  [parseExpiry, '2027-01-31', '2027-02-01T00:00:00.000Z'],
  [parseExpiry, '2027-01-31T12:00:00+01:00', '2027-01-31T11:00:00.000Z'],
])('%O reads %s as %p', (parse, text, value) => {
  expect(parse(text)).toBe(value);
});

it.each<[(text: string) => unknown, string, readonly string[]]>([
  [parseDollars, 'Expected dollars', ['', '-5', '1.5', '1e3', '12.345', 'ten']],
  [parseInteger, 'whole number', ['', '1.5', '0x10', '5 credits']],
  [parseCount, 'at least 1', ['0']],
  [parseExpiry, 'Expected a day', ['', 'tomorrow', '2027-02-30', '2027-01-31T12:00:00', '9999-12-31']],
])('%O says of other texts: %s', (parse, reason, texts) => {
  for (const text of texts) expect(() => parse(text)).toThrow(reason);
});
