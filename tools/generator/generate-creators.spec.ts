import { CreatorRecord, readShape } from '#contracts';
import { generateCreators } from './generate-creators.js';

const count = 4_000;
const creators = [...generateCreators({ count, seed: 1 })];
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
});
