import fc from 'fast-check';
import { mapColumns, parseMap, parseSet } from './mapping.js';

const all = 'name,country,languages,categories'.split(',');
const map = (header: readonly string[], mapText?: string, setText?: string) =>
  mapColumns(header, {
    ...(mapText === undefined ? {} : { map: parseMap(mapText) }),
    ...(setText === undefined ? {} : { set: parseSet(setText) }),
  });

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
      name: { column: 'NAME', index: 1 },
      country: { column: 'NAME', index: 1 },
      languages: { value: 'English' },
      categories: { column: 'Categories', index: 4 },
      website: { column: 'Home\npage', index: 5 },
    });
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
    ['"Name" is the name of several columns: rename all but one', [...all.slice(1), 'Name', 'name ']],
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
    expect([...map]).toEqual([
      ['name', 'Title'],
      ['country', 'Land'],
      ['tagline', 'About, "long"'],
      ['slug', 'a=b'],
    ]);
  });

  it('refuses anything else, and a field that is given twice', () => {
    const texts = ['name', 'name:Title', '=Title', 'name=', 'name="open', 'name="a"b', 'name=a,,country=b'];
    for (const text of texts) expect(() => parseMap(text)).toThrow('Expected field=Column');
    expect(() => parseMap('name=b', parseMap('name=a'))).toThrow('name is given twice');
  });

  it('finds any column, when it is quoted', () => {
    const column = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fc.array(column, { minLength: 1, maxLength: 5 }), (columns) => {
        const text = columns.map((name, index) => `f${index}="${name.replaceAll('"', '""')}"`).join(',');
        expect([...parseMap(text).values()]).toEqual(columns);
      }),
    );
  });
});

it('--set has one field and any value', () => {
  expect([...parseSet('tagline=a, b=c\n', parseSet('categories='))]).toEqual([
    ['categories', ''],
    ['tagline', 'a, b=c\n'],
  ]);
  for (const text of ['country', '=Norway']) expect(() => parseSet(text)).toThrow('Expected field=value');
});
