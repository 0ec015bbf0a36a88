import { fields, table, type Column } from './table.js';

interface Row {
  readonly name: string;
  readonly credits: number;
}

const columns: Column<Row>[] = ['name', 'credits'];

it('every row is under its titles, numbers to the right, in wide scripts and with combining marks too', () => {
  const rows = [
    { name: 'Acme', credits: 5 },
    { name: '김철수 Jose\u0301', credits: 12_000 },
  ];
  expect(table(columns, rows).split('\n')).toEqual([
    'NAME         CREDITS',
    'Acme               5',
    '김철수 Jose\u0301   12,000',
  ]);
  expect(table(columns, [])).toBe('(none)');
});

it('nothing reaches the terminal that controls it or the direction of writing', () => {
  const shown = table(columns, [{ name: 'a\u001b[2J\u202eb\n', credits: 1 }]);
  expect(shown.split('\n')).toEqual(['NAME     CREDITS', 'a [2Jb         1']);
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
  const nested = { is_paid: [row.active, false], of: { price_cents: 5, at: row.made_at }, none: [] };
  const names = Object.keys(row) as (keyof typeof row)[];
  expect(table(names, [row]).split('\n')).toEqual([
    'MADE (UTC)        ENDED (UTC)    PRICE  REFERENCE                 ACTIVE  NOTE  LEFT OUT',
    '2026-01-31 12:00  -            $149.00  2026-01-31T12:00:00.000Z  yes     -     -',
  ]);
  expect(fields(['is_paid', 'of', 'none'], nested)).toBe(
    'paid  yes, no\nof    price $0.05, at 2026-01-31 12:00\nnone  -',
  );
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
  const spent: Column<Row> = ['spent', ({ credits }) => `${credits} of 10`, 'right'];
  const rows = [
    { name: 'Acme', credits: 5 },
    { name: 'Ada', credits: 10 },
  ];
  expect(table([['who', 'name'], spent], rows)).toBe('WHO      SPENT\nAcme   5 of 10\nAda   10 of 10');
});
