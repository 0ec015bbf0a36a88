import fc from 'fast-check';
import { foldText, isSearchable, keywordParts, searchWords, textVersion } from './fold.js';

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
    ['김우빈'.normalize('NFD'), '김우빈'],
    ['ゲーム', 'ゲーム'],
    ['संगीत', 'संगीत'],
    ['Food & Drink', 'food & drink'],
  ])('folds %j to %j', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  /** Spellings that people use for one name. */
  it.each([
    ['O’Brien Jean‑Luc', "O'Brien Jean-Luc"],
    ['Oʻzbek', 'O`zbek', "O'zbek", 'O´zbek', 'O\u1ffdzbek', 'Oʼzbek', 'O′zbek', 'O‘zbek'],
    ['„Rock“ «Roll»', '"Rock" "Roll"'],
    ['Rock–Roll', 'Rock-Roll', 'Rock−Roll', 'Rock—Roll'],
    ['علی کریمی', 'علي كريمي'],
    ['علــی', 'علي'],
    ['مُحَمَّد', 'محمد'],
    ['أحمد', 'احمد', 'ٱحمد'],
    ['قناة ١٢٣', 'قناه 123', 'قناۀ ۱۲۳', 'قناہ 123', 'قناھ 123'],
    ['\u200bLuna', 'Luna\u200b', 'Lu\u00adna', '\u202eLuna', 'Lu\u2060na', 'Luna\ufe0f', 'Luna'],
    ['ﾊﾞﾅ', 'バナ'],
    ['か゛', 'が', 'か\u3099'],
    ['は゜', 'ぱ'],
    ['Ｌｕｎａ', 'Luna'],
    ['ﬁona', 'fiona'],
    ['Đặng Thị Hà', 'Dang Thi Ha'],
    ['Işık', 'Isik'],
    ['Weiß', 'Weiss', 'WEIẞ'],
    ['Ħamrun', 'Hamrun'],
    ['Əliyev', 'aliyev'],
    ['Ŋŧ', 'nt'],
    ['Ɓala Ɗan Ƙasa', 'bala dan kasa'],
    ['Мёд', 'Мед'],
    ['Стра́на', 'Страна'],
    ['музе́й', 'музей', 'музеи\u0301\u0306', 'музеи\u0306\u0301'],
    ['שָׁלוֹם', 'שלום'],
    ['Ἑλλάς', 'ελλασ'],
    ['१२३', '๑๒๓', '১২৩', '123'],
  ])('takes %j and %j for the same', (...spellings) => {
    expect(new Set(spellings.flatMap((text) => [text, text.normalize('NFD')]).map(foldText)).size).toBe(1);
  });

  /** Names of different people. */
  it.each([
    ['दीपक', 'दीपिका', 'दपक'],
    ['นก', 'นิก', 'นุก'],
    ['バナ', 'ハナ', 'パナ'],
    ['ヴィ', 'ウィ'],
    ['ラーメン', 'ラメン'],
    ['ゲーム', 'ケーム'],
    ['Андрей', 'Андреи'],
    ['Їжак', 'Іжак'],
    ['Быкаў', 'Быкау'],
    ['සිංහල', 'සහල'],
    ['মনা', 'মিনা'],
    ['ကို', 'ကု'],
    ['ខ្មែរ', 'ខមរ'],
    ['བོད', 'བད'],
  ])('distinguishes %j from %j', (...names) => {
    expect(new Set(names.map(foldText)).size).toBe(names.length);
  });

  it.each([
    ['기', '김민수'],
    ['가', '강'],
  ])('does not make %j a part of %j', (part, name) => {
    expect(foldText(name)).not.toContain(foldText(part));
  });

  it('changes nothing when it is repeated, whatever character is between two letters', () => {
    const changed: string[] = [];
    for (let first = 0; first <= 0x10ffff; first += 128) {
      const codes = Array.from({ length: 128 }, (_, n) => first + n).filter(
        (code) => code < 0xd800 || code > 0xdfff,
      );
      const once = foldText(codes.map((code) => `a${String.fromCodePoint(code)}b`).join(' '));
      if (foldText(once) !== once) changed.push(first.toString(16));
    }
    expect(changed).toEqual([]);
  });

  it.each([
    ['accents in two orders', 'a' + '\u0316\u0301'.repeat(200_000)],
    ['letters that an accent may change', 'и\u0301'.repeat(200_000)],
    ['one letter with accents', `и${'\u0301'.repeat(400_000)}`],
    ['spaces', `é${' '.repeat(400_000)}é`],
    ['digits', '٣'.repeat(400_000)],
  ])('takes time in proportion to the length: 400,000 of %s', (_, text) => {
    const startedAt = performance.now();
    foldText(text);
    // Half a second, also on a busy machine; in proportion to the square it would be minutes.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('has a version that is greater than that of before it had any, and names the data of Unicode', () => {
    expect(textVersion).toMatch(/^2\/unicode-\d\d\.\d$/);
    expect(textVersion > '1').toBe(true);
  });

  it('does not depend on case, on composition or on repeated white space', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const folded = foldText(text);
        expect(foldText(text.normalize('NFD'))).toBe(folded);
        expect(foldText(text.normalize('NFC'))).toBe(folded);
        expect(foldText(text.toUpperCase())).toBe(folded);
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

it.each([
  ['@luna @ray', ['luna', 'ray']],
  ['“Luna Ray”, «luna»', ['Luna', 'Ray', 'luna']],
  ['"@luna",', ['luna']],
  ["'O'Neil'", ["O'Neil"]],
  ['luna,ray x@y', ['luna,ray', 'x@y']],
  ['https://www.youtube.com/@luna,', ['https://www.youtube.com/@luna']],
  ['＠luna、', ['luna']],
  [' , "" @ ', []],
])('the words of %j are %j', (keyword, words) => {
  expect(keywordParts(keyword)).toEqual(words);
  expect(isSearchable(keyword)).toBe(words.length > 0);
});
