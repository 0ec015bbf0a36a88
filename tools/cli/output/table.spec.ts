import { fields, table, type Column } from './table.js';

interface Row {
  readonly name: string;
  readonly credits: number;
}

const columns: Column<Row>[] = ['name', 'credits'];

describe('table', () => {
  it('puts every row under its titles, numbers to the right', () => {
    const rows = [
      { name: 'Acme', credits: 5 },
      { name: 'A longer name', credits: 12_000 },
    ];
    expect(table(columns, rows).split('\n')).toEqual([
      'NAME           CREDITS',
      'Acme                 5',
      'A longer name   12,000',
    ]);
  });

  it('says when there is nothing', () => {
    expect(table(columns, [])).toBe('(none)');
  });

  it('aligns names in wide scripts and with combining marks', () => {
    const rows = [
      { name: '김철수', credits: 1 },
      { name: 'Jose\u0301', credits: 2 },
    ];
    expect(table(columns, rows).split('\n').slice(1)).toEqual(['김철수        1', 'Jose\u0301          2']);
  });

  it('lets nothing reach the terminal that controls it or the direction of writing', () => {
    const shown = table(columns, [{ name: 'a\u001b[2J\u202eb\n', credits: 1 }]);
    expect(shown.split('\n')).toEqual(['NAME     CREDITS', 'a [2Jb         1']);
  });
});

it('values are shown by their kind, in a table and as fields', () => {
  const row = {
    made_at: '2026-01-31T12:00:00.000Z',
    ended_at: null,
    price_cents: 14_900,
    reference: '2026-01-31T12:00:00.000Z',
    active: true,
    note: null,
    left_out: undefined,
  };
  const names = Object.keys(row) as (keyof typeof row)[];
  expect(table(names, [row]).split('\n')).toEqual([
    'MADE (UTC)        ENDED (UTC)    PRICE  REFERENCE                 ACTIVE  NOTE  LEFT OUT',
    '2026-01-31 12:00  -            $149.00  2026-01-31T12:00:00.000Z  yes     -     -',
  ]);
  expect(fields(names, row).split('\n')).toEqual([
    'made       2026-01-31 12:00 UTC',
    'ended      -',
    'price      $149.00',
    'reference  2026-01-31T12:00:00.000Z',
    'active     yes',
    'note       -',
  ]);
});

it('a column can have a title and a function, and text to the right', () => {
  const titled: Column<Row>[] = [
    ['who', 'name'],
    ['spent', ({ credits }) => `${credits} of 10`, 'right'],
  ];
  const rows = [
    { name: 'Acme', credits: 5 },
    { name: 'Ada', credits: 10 },
  ];
  expect(table(titled, rows).split('\n')).toEqual(['WHO      SPENT', 'Acme   5 of 10', 'Ada   10 of 10']);
});
