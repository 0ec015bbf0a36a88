import { withoutDirections } from '#contracts';
import { formatInteger, formatMoney, formatTime } from './format.js';

type Value = string | number | boolean | null | undefined;

/**
 * What is shown of a row: a field under its own name, or a title with a field or a function. By their kind, values are shown as
 * whole numbers (right-aligned in tables), money (`_cents`), times (`at`), yes or no, and `-` for none; of a list its items, of an
 * object its fields.
 */
export type Column<Row> = (keyof Row & string) | Titled<Row>;

type Titled<Row> = readonly [
  title: string,
  value: (keyof Row & string) | ((row: Row) => Value),
  align?: 'right',
];

const isMoney = (name: string): boolean => name.includes('_cents');
const isTime = (name: string): boolean => /(^|_)at$/.test(name);

function show<Row>(column: Column<Row>, row: Row) {
  const [title, source, align]: Titled<Row> = typeof column === 'string' ? [titleOf(column), column] : column;
  const [name, value] = typeof source === 'string' ? [source, row[source]] : ['', source(row)];
  return {
    title,
    value,
    text: textOf(name, value),
    isTime: isTime(name),
    isRight: align === 'right' || typeof value === 'number',
  };
}

function titleOf(name: string): string {
  return name.replace(/^is_|_(at|cents)$/g, '').replaceAll('_', ' ');
}

function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'number') return isMoney(name) ? formatMoney(value) : formatInteger(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return isTime(name) ? formatTime(value) : value;
  if (Array.isArray(value)) return value.map((item) => textOf(name, item)).join(', ') || '-';
  const inner = Object.entries(value).map(([field, of]) => `${titleOf(field)} ${textOf(field, of)}`);
  return inner.join(', ');
}

/** Rows under their titles, in columns two spaces apart; a table without rows says so. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  if (rows.length === 0) return '(none)';
  const shown = columns.map((column) => rows.map((row) => show(column, row)));
  const padded = shown.map((cells) => {
    const title = `${cells[0]?.title.toUpperCase()}${cells[0]?.isTime ? ' (UTC)' : ''}`;
    const texts = [title, ...cells.map(({ text }) => printable(text))];
    const width = Math.max(...texts.map(widthOf));
    return texts.map((text) => pad(text, width, cells.some(({ isRight }) => isRight) ? 'right' : 'left'));
  });
  const lineAt = (index: number) =>
    padded
      .map((texts) => texts[index])
      .join('  ')
      .trimEnd();
  return [0, ...rows.map((_, index) => index + 1)].map(lineAt).join('\n');
}

/** Names and values, one pair a line, the values in one column. */
export function pairs(given: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...given.map(([name]) => widthOf(name)));
  return given.map(([name, value]) => `${pad(name, width)}  ${printable(value)}`).join('\n');
}

/** One thing, a field on each line, without fields that are `undefined`. */
export function fields<Row>(columns: readonly Column<Row>[], row: Row): string {
  const shown = columns.map((column) => show(column, row)).filter(({ value }) => value !== undefined);
  return pairs(
    shown.map(({ title, text, isTime: inUtc, value }) => [
      title,
      inUtc && value !== null ? `${text} UTC` : text,
    ]),
  );
}

/** A page of a list, by the name of the list in the answer, and how to get the next one. */
export function page<Row>(name: string, columns: readonly Column<Row>[]) {
  return (answer: { readonly next_cursor?: string | null }): string => {
    const rows = (answer as Readonly<Record<string, readonly Row[]>>)[name] ?? [];
    return table(columns, rows) + nextPage(answer.next_cursor);
  };
}

function nextPage(cursor: string | null | undefined): string {
  return cursor ? `\n\nNext page: --cursor ${cursor}` : '';
}

/** Names are untrusted, and must not control the terminal or the direction of writing. */
function printable(text: string): string {
  return withoutDirections(text).replace(/\p{Cc}/gu, ' ');
}

function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? text + space : space + text;
}

const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u{1f300}-\u{1faff}]/u;

/** Columns on a terminal: wide characters take two, combining marks none. */
function widthOf(text: string): number {
  return [...text.replace(/\p{M}/gu, '')].reduce(
    (width, character) => width + (wide.test(character) ? 2 : 1),
    0,
  );
}
