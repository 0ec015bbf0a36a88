import { CreatorRecord, readShape } from '#contracts';
import { generateCreators } from './generate-creators.js';

const count = 4_000;
const now = new Date('2024-03-01T12:00:00Z');
const creators = [...generateCreators({ count, seed: 1, now })];
function isSet(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

describe('generateCreators', () => {
  it('gives the same creators for the same seed, others for another one, and further ones after the first', () => {
    const made = (seed: number, count: number) => [...generateCreators({ count, seed })];
    expect(made(7, 200).slice(0, 50)).toEqual(made(7, 50));
    expect(made(8, 1)).not.toEqual(made(7, 1));
  });

  it('makes valid creators with slugs and handles of their own', () => {
    const problems = creators.map(
      (record) => readShape(CreatorRecord, { ...record }, { strict: true }).details,
    );
    expect(problems.filter((details) => details !== undefined)).toEqual([]);
    expect(isSet(creators.map(({ slug }) => slug))).toBe(true);
    const accounts = creators.flatMap(({ platforms }) => platforms);
    expect(isSet(accounts.map(({ platform, handle }) => `${platform} ${handle}`))).toBe(true);
  });

  it.each([
    ['accented Latin', /[à-ÿ]/u],
    ['Hangul', /\p{Script=Hangul}/u],
    ['Han', /\p{Script=Han}/u],
    ['kana', /\p{Script=Hiragana}|\p{Script=Katakana}/u],
    ['Arabic', /\p{Script=Arabic}/u],
    ['Cyrillic', /\p{Script=Cyrillic}/u],
    ['Devanagari', /\p{Script=Devanagari}/u],
    ['mathematical letters', /[\u{1d400}-\u{1d7ff}]/u],
    ['emoji', /\p{Extended_Pictographic}/u],
  ])('writes some names in %s', (_script, pattern) => {
    expect(creators.filter(({ name }) => pattern.test(name)).length).toBeGreaterThan(5);
  });

  it('has a long tail of sizes, some unverified, some unpublished, and one to five platforms', () => {
    const reaches = creators
      .map(({ platforms }) => platforms.reduce((sum, { followers }) => sum + followers, 0))
      .sort((a, b) => a - b);
    const median = reaches[count / 2] ?? 0;
    expect(reaches.at(-1)).toBeGreaterThan(100 * median);
    expect(new Set(creators.map(({ platforms }) => platforms.length))).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(new Set(creators.map(({ verified }) => verified))).toEqual(new Set([true, false]));
    expect(new Set(creators.map(({ published }) => published))).toEqual(new Set([true, false]));
    expect(creators.some(({ website }) => website === undefined)).toBe(true);
  });
});
