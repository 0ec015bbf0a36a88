import fc from 'fast-check';
import { foldText, searchWords } from './fold.js';

describe('foldText', () => {
  it.each([
    ['  MrBeast   6000 ', 'mrbeast 6000'],
    ['Beyoncé', 'beyonce'],
    ['ŁØĐÐÞÆŒ', 'loddthaeoe'],
    ['Straße', 'strasse'],
    ['İstanbul', 'istanbul'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ'],
    ['𝓛𝓾𝓷𝓪', 'luna'],
    ['ﬁtness', 'fitness'],
    ['НАСТЯ ИВЛЕЕВА', 'настя ивлеева'],
    ['김우빈', '김우빈'.normalize('NFKD')],
    ['Food & Drink', 'food & drink'],
  ])('folds %j to %j', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  it('gives every character of Unicode one folded form: folding again changes nothing', () => {
    const changed: string[] = [];
    for (let first = 0; first <= 0x10ffff; first += 256) {
      const block = Array.from({ length: 256 }, (_, n) => `a${String.fromCodePoint(first + n)}b`);
      const once = foldText(block.join(' '));
      if (foldText(once) !== once) changed.push(first.toString(16));
    }
    expect(changed).toEqual([]);
  });

  it('does not depend on case, on composition or on repeated white space', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const folded = foldText(text);
        expect(foldText(text.normalize('NFD'))).toBe(folded);
        expect(foldText(text.normalize('NFC'))).toBe(folded);
        expect(foldText(` ${text}\t\n`)).toBe(folded);
        expect(foldText(folded)).toBe(folded);
      }),
    );
  });
});

describe('searchWords', () => {
  it.each([
    ['mr beast', ['mr', 'beast']],
    ['@MrBeast', ['mrbeast']],
    ['a @ b', ['a', 'b']],
    ['@@', []],
    ['\u0301', []],
    [' ', []],
    ['100%_\\', ['100%_\\']],
  ])('splits %j into %j', (keyword, words) => {
    expect(searchWords(keyword)).toEqual(words);
  });
});
