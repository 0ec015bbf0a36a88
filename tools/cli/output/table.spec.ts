import { fields, table, type Column } from './table.js';

interface Row {
  readonly name: string;
  readonly credits: number;
}

const columns: Column<Row>[] = [
  { title: 'NAME', value: (row) => row.name },
  { title: 'CREDITS', align: 'right', value: (row) => String(row.credits) },
];

describe('table', () => {
  it('puts every row under its titles, numbers to the right', () => {
    const rows = [
      { name: 'Acme', credits: 5 },
      { name: 'A longer name', credits: 12_000 },
    ];
    expect(table(columns, rows).split('\n')).toEqual([
      'NAME           CREDITS',
      'Acme                 5',
      'A longer name    12000',
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

describe('fields', () => {
  it('puts the values in one column', () => {
    expect(
      fields([
        ['id', '7'],
        ['email', 'ops@acme.example'],
      ]),
    ).toBe('id     7\nemail  ops@acme.example');
  });
});
