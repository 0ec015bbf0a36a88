import { type Column, show } from './show.js';

const linesOf = (...given: Parameters<typeof show>) => show(...given).split('\n');

it('every row is under its titles, numbers to the right, in wide scripts and with combining marks too', () => {
  const people = [
    { name: 'Acme', credits: 5 },
    { name: '김철수 Jose\u0301', credits: 12_000 },
  ];
  expect(linesOf({ people, next_cursor: 'abc' })).toEqual([
    'NAME         CREDITS',
    'Acme               5',
    '김철수 Jose\u0301   12,000',
    '',
    'Next page: --cursor abc',
  ]);
  expect(show({ people: [], next_cursor: null })).toBe('people  -');
  expect(show({})).toBe('Done.');
});

it('nothing reaches the terminal that controls it or the direction of writing', () => {
  expect(linesOf({ people: [{ name: 'a\u001b[2J\u202eb\n', credits: 1 }] })).toEqual([
    'NAME     CREDITS',
    'a [2Jb         1',
  ]);
});

it('values are shown by their kind, in tables and as fields', () => {
  const row = {
    made_at: '2026-01-31T12:00:00.000Z',
    ended_at: null,
    price_cents: 14_900,
    reference: '2026-01-31T12:00:00.000Z',
    active: true,
  };
  const nested = { is_paid: [row.active, false], of: { price_cents: 5, at: row.made_at }, none: [] };
  expect(linesOf({ ...row, ...nested, first: [row], second: [{ a: 1 }, { b: 'c' }] })).toEqual([
    'made       2026-01-31 12:00 UTC',
    'ended      -',
    'price      $149.00',
    'reference  2026-01-31T12:00:00.000Z',
    'active     yes',
    'paid       yes, no',
    'of         price $0.05, at 2026-01-31 12:00',
    'none       -',
    '',
    'first:',
    'MADE (UTC)        ENDED (UTC)    PRICE  REFERENCE                 ACTIVE',
    '2026-01-31 12:00  -            $149.00  2026-01-31T12:00:00.000Z  yes',
    '',
    'second:',
    'A  B',
    '1  -',
    '-  c',
  ]);
});

it('a column can have a title, and a function', () => {
  interface Row {
    readonly name: string;
    readonly credits: number;
  }
  const spent: Column<Row> = ['spent', ({ credits }) => `${credits} of 10`];
  expect(show({ rows: [{ name: 'Acme', credits: 5 }] }, [['who', 'name'], spent])).toBe(
    'WHO   SPENT\nAcme  5 of 10',
  );
});
