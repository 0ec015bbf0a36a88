import { mapColumns, type MappingOptions, parseMap, parsePair, parsePlatform } from './mapping.js';

const all = 'name,country,languages,categories'.split(',');
const map = (header: readonly string[], mapText?: string, setText?: string, more: MappingOptions = {}) =>
  mapColumns(header, {
    ...(mapText === undefined ? {} : { map: parseMap(mapText) }),
    ...(setText === undefined ? {} : { set: parsePair(setText) }),
    ...more,
  });
const placesOf = (mapping: ReturnType<typeof map>) =>
  Object.fromEntries([...mapping].map(([field, { columns }]) => [field, columns.map(({ index }) => index)]));

function problemsOf(...given: Parameters<typeof map>): string[] {
  try {
    map(...given);
  } catch (error) {
    const lines = error instanceof Error ? error.message.split('\n') : [];
    return lines
      .filter((line) => line.startsWith('  ') && !line.startsWith('  and '))
      .map((line) => line.trim());
  }
  return [];
}

describe('the columns of a table', () => {
  it('are fields by their names, in any case; options take precedence, other columns are ignored', () => {
    const header = ['Notes', ' NAME ', 'Country', 'languages', 'Categories', 'Home\npage', 'Notes', ''];
    const mapping = map(header, 'country=NAME,website=home page', 'languages=English');
    expect(Object.fromEntries(mapping)).toEqual({
      name: { columns: [{ name: 'NAME', index: 1 }] },
      country: { columns: [{ name: 'NAME', index: 1 }] },
      languages: { columns: [], given: { option: 'set', value: 'English' } },
      categories: { columns: [{ name: 'Categories', index: 4 }] },
      website: { columns: [{ name: 'Home\npage', index: 5 }] },
    });
  });

  it('with one name are called by their numbers, and taken in turn by several platforms', () => {
    const header = [...all, 'handle', 'Followers', 'followers', 'updated_at'];
    const named = parsePlatform('tiktok', parsePlatform('youtube'));
    expect(placesOf(map(header, undefined, undefined, { platform: named }))).toMatchObject({
      'youtube.handle': [4],
      'youtube.followers': [5],
      'youtube.updated_at': [7],
      'tiktok.handle': [4],
      'tiktok.followers': [6],
      'tiktok.updated_at': [7],
    });
    const one = { platform: parsePlatform('x'), set: parsePair('updated_at=2026-01-31') };
    const chosen = map(header, 'followers=Followers (2)', undefined, one);
    expect(placesOf(chosen)).toMatchObject({ 'x.handle': [4], 'x.followers': [6], 'x.updated_at': [] });
    expect(() => map(header, undefined, undefined, one)).toThrow('"followers" is the name of 2 columns');
    expect(() => parsePlatform('vine')).toThrow('Expected one of youtube,');
  });

  it('of an account are needed together', () => {
    expect(problemsOf([...all, 'x.Followers', 'tiktok.handle', 'tiktok.followers'])).toEqual([
      'tiktok.updated_at has no column: --map tiktok.updated_at=COLUMN, or --set tiktok.updated_at=VALUE for every line',
      expect.stringMatching(/^x\.handle has no column/),
      expect.stringMatching(/^x\.updated_at has no column/),
    ]);
  });

  it.each<[string, string[], string?, string?]>([
    ['name has no column: --map name=COLUMN, or --set name=VALUE for every line', all.slice(1)],
    ['"Titel" is not a column of the file', all, 'tagline=Titel'],
    ['"Titel" is not a column of the file', all.slice(1), 'name=Titel'],
    ['"nme" is not a field of a creator', all, 'nme=name'],
    ['"youtube" is not a field of a creator', all, undefined, 'youtube=x'],
    ['country is in both --map and --set', all, 'country=country', 'country=Norway'],
    ['name is given twice', all, 'name=name,name=country'],
    [
      '"name" is the name of 2 columns: choose one, --map name="name" or name="name (2)"',
      [...all.slice(1), 'Name', 'name '],
    ],
  ])('%s', (problem, ...given) => {
    expect(problemsOf(...given)).toEqual([problem]);
  });

  it('are listed with what can be mapped, and with everything that is wrong', () => {
    const listed = () => map(['Titel', 'Abos, in 1000', ''], 'nme=Titel');
    expect(listed).toThrow(/^ {2}"nme" is not.*\n {2}name has no column/m);
    expect(listed).toThrow('Its columns: "Titel", "Abos, in 1000"\n');
    expect(listed).toThrow(/What can be mapped: slug, name, .*\n.*handle.* youtube.*youtube\.handle$/);
  });
});

describe('--map', () => {
  it('has pairs with commas between them, a column with a comma in quotes, and can be repeated', () => {
    const map = parseMap('country = Land ,tagline="About, ""long""",slug=a=b', parseMap('name=Title'));
    expect(map).toEqual([
      ['name', 'Title'],
      ['country', 'Land'],
      ['tagline', 'About, "long"'],
      ['slug', 'a=b'],
    ]);
  });

  it('refuses anything else', () => {
    const texts = ['name', 'name:Title', '=Title', 'name=', 'name="open', 'name="a"b', 'name=a,,country=b'];
    for (const text of texts) expect(() => parseMap(text)).toThrow('Expected field=Column');
  });
});

it('--set has one field and any value', () => {
  expect(parsePair('tagline=a, b=c\n', parsePair('categories='))).toEqual([
    ['categories', ''],
    ['tagline', 'a, b=c\n'],
  ]);
  for (const text of ['country', '=Norway']) expect(() => parsePair(text)).toThrow('Expected field=value');
});
