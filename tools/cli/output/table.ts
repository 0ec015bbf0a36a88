import { withoutDirections } from '#contracts';

type Align = 'left' | 'right';

export interface Column<Row> {
  readonly title: string;
  readonly align?: Align;
  readonly value: (row: Row) => string;
}

/** Rows under their titles, in columns two spaces apart; a table without rows says so. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  if (rows.length === 0) return '(none)';
  const cells = [columns.map((column) => column.title), ...rows.map((row) => cellsOf(columns, row))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => widthOf(line[index] ?? ''))));
  return cells
    .map((line) => line.map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align)))
    .map((line) => line.join('  ').trimEnd())
    .join('\n');
}

/** Names and values, one pair a line, the values in one column. */
export function fields(pairs: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...pairs.map(([name]) => widthOf(name)));
  return pairs.map(([name, value]) => `${pad(name, width)}  ${printable(value)}`).join('\n');
}

/** The line below a page that is not the last. */
export function nextPage(cursor: string | null): string {
  return cursor === null ? '' : `\n\nNext page: --cursor ${cursor}`;
}

function cellsOf<Row>(columns: readonly Column<Row>[], row: Row): string[] {
  return columns.map((column) => printable(column.value(row)));
}

/** Names are untrusted, and must not control the terminal or the direction of writing. */
export function printable(text: string): string {
  return withoutDirections(text).replace(/\p{Cc}/gu, ' ');
}

function pad(text: string, width: number, align: Align = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? text + space : space + text;
}

/** Columns on a terminal: wide characters take two, combining marks none. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    width += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u{1f300}-\u{1faff}]/u.test(
      character,
    )
      ? 2
      : 1;
  }
  return width;
}
