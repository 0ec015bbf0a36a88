import { isSearchable, keywordParts } from './keyword.js';

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
