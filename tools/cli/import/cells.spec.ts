import fc from 'fast-check';
import { parseCount } from './cells.js';

const groups = (digits: string, separator: string) => digits.replace(/\B(?=(?:\d{3})+$)/g, separator);

describe('a count', () => {
  it.each([
    ['007', 7],
    ['1\u00a0200\u00a0000', 1_200_000],
    ['3,4 k', 3_400],
    ['1.25b', 1_250_000_000],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['1678.0', 1_678],
    ['5.00', 5],
    ['1e6', 1_000_000],
    ['1.2E+06', 1_200_000],
    ['1,234E3', 1_234],
  ])('%s is %d', (text, count) => {
    expect(parseCount(text)).toBe(count);
  });

  it('is none, or may be two', () => {
    const texts = [
      ...['1.2', '12,34', '1,2000', '1,200.5', '1.200,000', '1,200 000', '0,500', '1,200K', '1.23456K'],
      ...[
        '1.2T',
        '1M2',
        'M',
        '.5M',
        '-5',
        '+5',
        '0x10',
        '1.5',
        '1.2345E+3',
        '1e99',
        '1E-3',
        '١٢',
        '1200 followers',
        '9007199254740992',
      ],
    ];
    expect(texts.filter((text) => parseCount(text) !== undefined)).toEqual([]);
  });

  it('may be written with one kind of separator between thousands', () => {
    const separator = fc.constantFrom('', ',', '.', ' ', '\u00a0', '\u202f');
    fc.assert(
      fc.property(fc.maxSafeNat(), separator, (count, sign) => {
        expect(parseCount(groups(String(count), sign))).toBe(count);
      }),
    );
  });

  it('may be short for thousands, millions and billions, exactly', () => {
    const scale = fc.constantFrom(['K', 3] as const, ['M', 6] as const, ['B', 9] as const);
    const point = fc.constantFrom('.', ',');
    fc.assert(
      fc.property(fc.nat(99_999), fc.nat(4), scale, point, (number, places, [sign, power], mark) => {
        fc.pre(places !== 3 && places <= power);
        const digits = String(number).padStart(places + 1, '0');
        const fraction = places === 0 ? '' : mark + digits.slice(-places);
        const text = digits.slice(0, digits.length - places) + fraction + sign;
        expect(parseCount(text)).toBe(number * 10 ** (power - places));
      }),
    );
  });
});
