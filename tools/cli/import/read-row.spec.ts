import { slugLengthMax, slugPattern } from '#contracts';
import fc from 'fast-check';
import { mapColumns } from './mapping.js';
import { readRow, slugOf } from './read-row.js';

const header = ['name', 'slug', 'tagline', 'country', 'languages', 'categories', 'verified', 'Site'].concat(
  ['handle', 'followers', 'updated_at'].flatMap((field) => [`youtube.${field}`, `x.${field}`]),
);
const mapping = mapColumns(header, { map: new Map([['website', 'Site']]) });
const plain = { name: 'Ada', country: 'Peru', languages: 'Spanish', categories: 'music' };
const youtube = { 'youtube.handle': '@ada', 'youtube.followers': '5', 'youtube.updated_at': '2024-01-31' };

const read = (cells: Readonly<Record<string, string>>) =>
  readRow(
    header.map((name) => ({ ...plain, ...cells })[name] ?? ''),
    mapping,
  );

describe('a row', () => {
  it('becomes a record; empty cells are left out, and accounts without a handle', () => {
    const reading = read({ ...youtube, 'x.followers': 'n/a', verified: 'Yes' });
    expect(JSON.parse(JSON.stringify(reading))).toEqual({
      record: {
        slug: 'ada',
        name: 'Ada',
        country: 'Peru',
        languages: ['Spanish'],
        categories: ['music'],
        verified: true,
        platforms: [{ platform: 'youtube', handle: '@ada', followers: 5, updated_at: '2024-01-31' }],
      },
    });
  });

  it.each([
    ['a | b, c |', ['a', 'b, c']],
    ['a; b, c', ['a', 'b, c']],
    ['a, b,,c', ['a', 'b', 'c']],
    ['', []],
  ])('has the list %j', (cell, categories) => {
    expect(read({ categories: cell })).toMatchObject({ record: { categories } });
  });

  it('has line breaks in long texts; elsewhere they are spaces', () => {
    const cells = { name: 'Ada \r\n Example', tagline: 'one\r\ntwo ' };
    expect(read(cells)).toMatchObject({ record: { name: 'Ada Example', tagline: 'one\r\ntwo' } });
  });

  it('keeps its own slug', () => {
    expect(read({ slug: 'someone' })).toMatchObject({ record: { slug: 'someone' } });
  });
});

describe('a row is rejected by the names of its columns', () => {
  it.each<[string, Record<string, string>]>([
    ['column "name" is empty: name is missing', { name: ' ' }],
    ['column "country" is empty: country is missing', { country: '' }],
    ['column "slug" is "A B": slug must be 1 to 100 of', { slug: 'A B' }],
    ['column "name" is "김철수": slug can\'t be made of the name', { name: '김철수' }],
    ['column "Site" is "ada.example": website must be a URL', { Site: 'ada.example' }],
    ['column "verified" is "maybe": verified must be true, false, yes, no, 1 or 0', { verified: 'maybe' }],
    ['column "youtube.followers" is empty: youtube.followers is missing', { 'youtube.handle': '@ada' }],
    [
      'column "x.updated_at" is "31.1.24": x.updated_at must be a date and time with a zone',
      { ...youtube, 'x.handle': 'a', 'x.followers': '1', 'x.updated_at': '31.1.24' },
    ],
    [`column "tagline" is "${'x'.repeat(60)}...": tagline must be`, { tagline: 'x'.repeat(2_001) }],
  ])('%s', (error, cells) => {
    const reading = read(cells);
    expect('error' in reading && reading.error.slice(0, error.length)).toBe(error);
  });

  it('with everything that is wrong with it', () => {
    const reading = read({ name: '', country: '', ...youtube, 'youtube.followers': 'many' });
    expect('error' in reading && reading.error.split('; ')).toEqual([
      expect.stringMatching(/youtube\.followers must be a number/),
      'column "name" is empty: name is missing',
      'column "country" is empty: country is missing',
    ]);
  });
});

describe('the slug of a name', () => {
  it.each([
    ['  Zoë  Ærø! ', 'zoe-aero'],
    ["Conan O'Neil & Łódź", 'conan-oneil-lodz'],
    ['𝓜𝓲𝓻𝓪 ✨ 김철수', 'mira'],
    ['김철수', ''],
  ])('%s: %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  it('is valid or empty, and its own slug', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (name) => {
        const slug = slugOf(name);
        if (slug !== '') expect(slug).toMatch(slugPattern);
        expect(slug.length).toBeLessThanOrEqual(slugLengthMax);
        expect(slugOf(slug)).toBe(slug);
      }),
    );
  });
});
