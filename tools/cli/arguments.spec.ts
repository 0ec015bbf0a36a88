import { none, parseCount, parseDollars, parseExpiry, parseInteger } from './arguments.js';

describe('parseDollars', () => {
  it.each([
    ['1800', 180_000],
    ['1800.50', 180_050],
    ['$1,800.05', 180_005],
    ['0.29', 29],
  ])('reads %s as %d cents', (text, cents) => {
    expect(parseDollars(text)).toBe(cents);
  });

  it.each(['', '-5', '1.5', '1e3', '12.345', 'ten'])('refuses %p', (text) => {
    expect(() => parseDollars(text)).toThrow('Expected dollars');
  });
});

describe('parseInteger', () => {
  it.each([
    ['10,000', 10_000],
    ['-25', -25],
  ])('reads %s', (text, value) => {
    expect(parseInteger(text)).toBe(value);
  });

  it.each(['', '1.5', '0x10', '5 credits'])('refuses %p', (text) => {
    expect(() => parseInteger(text)).toThrow('whole number');
  });
});

describe('parseCount', () => {
  it('wants at least 1', () => {
    expect(parseCount('20')).toBe(20);
    expect(() => parseCount('0')).toThrow('at least 1');
  });
});

describe('parseExpiry', () => {
  it.each([
    ['never', none],
    ['2027-01-31', '2027-02-01T00:00:00.000Z'],
    ['2027-01-31T12:00:00+01:00', '2027-01-31T11:00:00.000Z'],
  ])('reads %s', (text, expiry) => {
    expect(parseExpiry(text)).toBe(expiry);
  });

  it.each(['', 'tomorrow', '2027-02-30', '2027-01-31T12:00:00', '9999-12-31'])('refuses %p', (text) => {
    expect(() => parseExpiry(text)).toThrow('Expected a day');
  });
});
