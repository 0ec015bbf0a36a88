import fc from 'fast-check';
import { parseCount } from './cells.js';

const groups = (digits: string, separator: string) => digits.replace(/\B(?=(?:\d{3})+$)/g, separator);

describe('a count', () => {
  it.each([
    ['0', 0],
    ['007', 7],
    ['1200', 1_200],
    ['1,200', 1_200],
    ['1.200', 1_200],
    ['1 200', 1_200],
    ['1\u00a0200\u00a0000', 1_200_000],
    ['1\u202f200', 1_200],
    ['1.2M', 1_200_000],
    ['3,4K', 3_400],
    ['3,4 k', 3_400],
    ['12M', 12_000_000],
    ['1.25b', 1_250_000_000],
    ['1.2345M', 1_234_500],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('%s is %d', (text, count) => {
    expect(parseCount(text)).toBe(count);
  });

  it.each([
    ...[
      '1.2',
      '12,34',
      '1,2000',
      '1,200.5',
      '1.200,000',
      '1,200 000',
      '0,500',
      '1,200K',
      '1.200M',
      '1.23456K',
    ],
    ...['1.2T', '1M2', 'M', '.5M', '-5', '+5', '1e6', '0x10', '١٢', 'about 1200', '1200 followers'],
    ...['9007199254740992', '10000000B'],
  ])('%s is none, or may be two', (text) => {
    expect(parseCount(text)).toBeUndefined();
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

  it('is a whole number or nothing, whatever the text', () => {
    const signs = fc.constantFrom('0', '1', '9', ',', '.', ' ', 'K', 'm', '-', "'");
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 12 }), (text) => {
        const count = parseCount(text.join(''));
        if (count !== undefined) expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
      }),
    );
  });
});
