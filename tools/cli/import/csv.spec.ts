import fc from 'fast-check';
import { csvRows, type TableRow } from './csv.js';
import { piecesOf } from './pieces.fixture.js';
import { rowText } from './table.js';

async function rowsOf(text: string, cuts: readonly number[] = []): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  for await (const row of csvRows(piecesOf(text, cuts), ',')) rows.push(row);
  return rows;
}

const header = 'name,country,tagline,site';
const problemsOf = (rows: readonly TableRow[]) =>
  rows.filter(({ error }) => error !== undefined).map(({ line, error }) => `${line}: ${error}`);

describe('a damaged table', () => {
  const open = 'a cell starts with a quote that is never closed';
  const broken = 'there is text after the closing quote of a cell: quotes within it must be doubled';
  const swallowed =
    'a quoted cell goes on over lines that look like rows: a quote is missing, or one too many';

  it.each<[string, string[], string[], string[]]>([
    ['a quote that is never closed', ['"Ada,Peru,,', 'Bob,Peru,,'], [`2: ${open}`], ['Bob']],
    ['one that ends in a later row', ['"A,Peru,,', 'B,Peru,,', 'C,Peru,"x",'], [`2: ${broken}`], ['B', 'C']],
    [
      'two that join rows',
      ['"A,Peru,,', 'B,Peru,,', 'C",Peru,,', 'D,Peru,,'],
      [2, 3, 4].map((line) => `${line}: ${swallowed}`),
      ['D'],
    ],
    [
      'two that join neighbours',
      ['A,"Peru,,', 'B,Chile",,', 'D,Peru,,'],
      [2, 3].map((line) => `${line}: ${swallowed}`),
      ['D'],
    ],
    ['quotes within a quoted cell', ['A,Peru,"says "hi"",', 'D,Peru,,'], [`2: ${broken}`], ['D']],
    ['quotes within a plain cell', ['A "B",Peru,5" x,"'.slice(0, -1), 'D,Peru,,'], [], ['A "B"', 'D']],
    ['a long text', ['A,Peru,"one, two\r\n\nthree, four",', 'D,Peru,,'], [], ['A', 'D']],
  ])('with %s loses no line', async (_what, lines, problems, names) => {
    const rows = await rowsOf([header, ...lines].join('\n'));
    expect(problemsOf(rows)).toEqual(problems);
    const good = rows.slice(1).filter(({ error }) => error === undefined);
    expect(good.map(({ cells }) => cells[0])).toEqual(names);
  });

  it('reads on after a quote that is open for more than 1 MiB', async () => {
    const rows = await rowsOf(`${header}\n"A,Peru,,\n${'B,Peru,,\n'.repeat(200_000)}`);
    expect(problemsOf(rows)).toEqual([`2: ${open}`]);
    expect(rows).toHaveLength(200_002);
  });

  it('that is one endless line is refused', async () => {
    const endless = `${header}\nA,${'x'.repeat(2 ** 21)}`;
    await expect(rowsOf(endless, [2 ** 20 + 100])).rejects.toThrow(
      'Line 2 of the table is longer than 1 MiB',
    );
  });

  const cell = fc.string({ unit: fc.constantFrom('a', 'é', ' ', ',', ';', '"', '\n', '\r\n'), maxLength: 6 });
  const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 12 });
  const damage = fc.record({
    at: fc.nat(),
    removed: fc.nat(4),
    added: fc.constantFrom('', '"', '""', ',', ';', '\n', '\r'),
  });
  const damaged = (text: string, damages: readonly { at: number; removed: number; added: string }[]) =>
    damages.reduce((left, { at, removed, added }) => {
      const place = at % (left.length + 1);
      return left.slice(0, place) + added + left.slice(place + removed);
    }, text);

  it('has each line in exactly one row, or reported, wherever it is damaged and cut', async () => {
    const [damages, cuts] = [fc.array(damage, { maxLength: 6 }), fc.array(fc.nat(), { maxLength: 4 })];
    await fc.assert(
      fc.asyncProperty(table, damages, cuts, async (cells, damages, cuts) => {
        const text = damaged([['a', 'b', 'c'], ...cells].map((row) => rowText(row, ',')).join(''), damages);
        const lines = text.split(/\r\n|\r|\n/);
        const rows = await rowsOf(text, cuts);
        expect(rows).toEqual(await rowsOf(text));
        const counted = new Map<number, number>();
        for (const { line, cells, error } of rows) {
          const breaks = error === undefined ? cells.join(' ').match(/\r\n|\r|\n/g) : null;
          for (let next = line; next <= line + (breaks?.length ?? 0); next += 1) {
            counted.set(next, (counted.get(next) ?? 0) + 1);
          }
        }
        for (const [index, source] of lines.entries()) {
          const times = counted.get(index + 1) ?? 0;
          if (/[^,"\s]/.test(source) || times > 1) expect([index + 1, times]).toEqual([index + 1, 1]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
