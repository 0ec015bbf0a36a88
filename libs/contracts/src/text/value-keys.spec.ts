import fc from 'fast-check';
import { countryKey, languageKey } from './value-keys.js';

const countries = [
  ['United States', 'US', 'us', 'USA', 'U.S.A.', 'United States of America', 'the united states', 'America'],
  ['United Kingdom', 'UK', 'GB', 'GBR', 'Great Britain', 'The United Kingdom'],
  ['Turkey', 'Türkiye', 'Turkiye', 'TR', 'TUR'],
  ["Côte d'Ivoire", 'Côte d’Ivoire', "Cote d'Ivoire", 'Ivory Coast', 'CI', 'CIV'],
  ['Bosnia and Herzegovina', 'Bosnia & Herzegovina', 'BA', 'BIH'],
  ['South Korea', 'Republic of Korea', 'Korea, Republic of', 'KR', 'KOR'],
  ['Congo', 'Republic of the Congo', 'CG'],
  ['Democratic Republic of the Congo', 'DR Congo', 'CD', 'COD'],
  ['Kosovo', 'XK', 'XKX'],
  ['Guinea-Bissau', 'Guinea Bissau', 'GW'],
  ['Niger', 'NE'],
  ['Utopia'],
  ['🎮'],
];

const languages = [
  ['English', 'en', 'EN', 'eng', 'en-US', 'en_GB', 'ENGLISH'],
  ['Chinese', 'zh', 'chi', 'zho', 'Mandarin', 'cmn', 'zh-Hans', 'zh-Hant-TW'],
  ['Bengali', 'Bangla', 'bn', 'ben'],
  ['Persian', 'Farsi', 'fa', 'fas', 'per'],
  ['Filipino', 'Tagalog', 'fil', 'tl', 'tgl'],
  ['Portuguese', 'pt', 'pt-BR'],
  ['Irish', 'gle', 'Irish Gaelic'],
  // Names that are the codes of other languages.
  ['Ga', 'gaa'],
  ['Dan'],
  ['العربية'],
];

it.each([
  { key: countryKey, groups: countries },
  { key: languageKey, groups: languages },
])('$key gives the names and codes of a value one key, and each value another', ({ key, groups }) => {
  const keys = groups.map((spellings) => [...new Set(spellings.map(key))]);
  expect(keys.filter((ofOne) => ofOne.length > 1)).toEqual([]);
  expect(new Set(keys.flat()).size).toBe(groups.length);
});

it('every region has the same key by its code as by the name that ICU has for it', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const regions = codes.flatMap((code) => {
    const name = names.of(code);
    return name === undefined ? [] : [{ code, name }];
  });
  expect(regions.length).toBeGreaterThan(240);
  const different = regions.filter(({ code, name }) => countryKey(code) !== countryKey(name));
  expect(different).toEqual([]);
});

it.each([countryKey, languageKey])('%p leaves a key of any other text as it is', (key) => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 4 }), (text) => {
      expect(key(key(text))).toBe(key(text));
    }),
  );
});
