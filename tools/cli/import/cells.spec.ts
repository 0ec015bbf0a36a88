import { parseCount } from './cells.js';

describe('a count', () => {
  it.each([
    ['007', 7],
    ['1\u00a0200\u00a0000', 1_200_000],
    ['1.200.000', 1_200_000],
    ['12,345', 12_345],
    ['1.2345M', 1_234_500],
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
      '1.2',
      '1,2000',
      '1,200.5',
      '1.200,000',
      '1,200 000',
      '0,500',
      '1,200K',
      '1.23456K',
      '1.2T',
    ];
    texts.push(
      'M',
      '.5M',
      '-5',
      '0x10',
      '1.2345E+3',
      '1e99',
      '1E-3',
      '١٢',
      '1200 followers',
      '9007199254740992',
    );
    expect(texts.filter((text) => parseCount(text) !== undefined)).toEqual([]);
  });
});
