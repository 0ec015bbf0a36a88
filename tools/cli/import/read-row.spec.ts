import { mapColumns } from './mapping.js';
import { readRow } from './read-row.js';

const header = ['name', 'slug', 'tagline', 'country', 'languages', 'categories', 'verified', 'Site'].concat(
  ['handle', 'followers', 'updated_at'].flatMap((field) => [`youtube.${field}`, `x.${field}`]),
);
const mapping = mapColumns(header, { map: [['website', 'Site']] });
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

  it('passes links on, and takes words for nothing where they mean that', () => {
    const link = 'https://www.youtube.com/channel/UCaaaaaaaaaaaaaaaaaaaaaa';
    const cells = { ...youtube, 'youtube.handle': link, country: 'Unknown', categories: 'NaN' };
    const others = { 'x.handle': 'unknown', 'x.followers': '#N/A', languages: 'keine' };
    const row = header.map((name) => ({ ...plain, ...cells, ...others })[name] ?? '');
    expect(readRow(row, mapping, ['keine'])).toMatchObject({
      record: { country: 'Unknown', languages: [], categories: [], platforms: [{ handle: link }] },
    });
  });

  it('has the cells of all columns of a list, and what is the default of an empty one', () => {
    const several = mapColumns(['name', 'country', 'languages', 'A', 'B', 'C'], {
      map: ['A', 'B', 'C'].map((column) => ['categories', column] as const),
      default: [['country', 'Peru']],
    });
    const rows = [
      ['Ada', 'n/a', '', 'food|art', '-', 'music'],
      ['Bob', 'Chile', '', '', '', ''],
    ];
    expect(rows.map((row) => readRow(row, several))).toMatchObject([
      { record: { country: 'Peru', categories: ['food', 'art', 'music'] } },
      { record: { country: 'Chile', categories: [] } },
    ]);
  });
});

describe('a row is rejected by the names of its columns', () => {
  it.each<[string, Record<string, string>]>([
    ['column "name" is empty: name is missing', { name: ' ' }],
    ['column "name" is "N/A": name is missing', { name: 'N/A' }],
    [
      'column "youtube.handle" is "1.00012E+14": youtube.handle was rounded by a spreadsheet',
      { ...youtube, 'youtube.handle': '1.00012E+14' },
    ],
    ['column "Site" is "ada.example": website must be a URL', { Site: 'ada.example' }],
    ['column "verified" is "maybe": verified must be true, false, yes, no, 1 or 0', { verified: 'maybe' }],
    ['column "youtube.followers" is empty: youtube.followers is missing', { 'youtube.handle': '@ada' }],
    [
      'column "x.updated_at" is "31.1.24": x.updated_at must be a date and time with a zone',
      { ...youtube, 'x.handle': 'a', 'x.followers': '1', 'x.updated_at': '31.1.24' },
    ],
    [
      'column "x.updated_at" is "2999-01-01": x.updated_at is in the future',
      { 'x.handle': 'a', 'x.followers': '1', 'x.updated_at': '2999-01-01' },
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
