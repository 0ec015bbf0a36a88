import fc from 'fast-check';
import { parseMap, parseSet } from './assignments.js';

describe('--map', () => {
  it('has pairs with commas between them; a column with a comma is quoted', () => {
    const map = parseMap('name=Title, country = Land ,tagline="About, ""long""",slug=a=b');
    expect([...map]).toEqual([
      ['name', 'Title'],
      ['country', 'Land'],
      ['tagline', 'About, "long"'],
      ['slug', 'a=b'],
    ]);
  });

  it('can be repeated', () => {
    expect([...parseMap('country=Land', parseMap('name=Title'))]).toEqual([
      ['name', 'Title'],
      ['country', 'Land'],
    ]);
  });

  it.each(['name', 'name:Title', '=Title', 'name=', 'name="open', 'name="a"b', 'name=a,,country=b'])(
    'refuses %s',
    (text) => {
      expect(() => parseMap(text)).toThrow('Expected field=Column');
    },
  );

  it('refuses a field that is given twice', () => {
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

describe('--set', () => {
  it('has one field and any value', () => {
    expect([...parseSet('tagline=a, b=c\n', parseSet('categories='))]).toEqual([
      ['categories', ''],
      ['tagline', 'a, b=c\n'],
    ]);
  });

  it.each(['country', '=Norway'])('refuses %s', (text) => {
    expect(() => parseSet(text)).toThrow('Expected field=value');
  });
});
