import { withoutDirections } from '#contracts';
import { formatInteger, formatMoney, formatTime } from './format.js';

type Value = string | number | boolean | null | undefined;

/** What is shown of a row: a field under its own name, or a title with a field or a function. */
export type Column<Row> = (keyof Row & string) | Titled<Row>;

type Titled<Row> = readonly [title: string, value: (keyof Row & string) | ((row: Row) => Value)];

type Fields = Readonly<Record<string, unknown>>;

/**
 * An answer as text: its fields, one a line, and below them its lists as tables with these columns, by default every field. By their
 * kind, values are shown as whole numbers, money (`_cents`), times (`at`), yes or no, and `-` for none; of a list its items, of an
 * object its fields.
 */
export function show(answer: object, columns?: readonly Column<never>[]): string {
  const { next_cursor: cursor, ...parts } = answer as Fields & { readonly next_cursor?: string | null };
  const lists = Object.entries(parts).filter((part): part is [string, Fields[]] => isTable(part[1]));
  const fields = Object.entries(parts).filter(([, value]) => !isTable(value));
  const tables = lists.map(([name, rows]) => {
    const text = table(columns ?? columnsOf(rows), rows);
    return lists.length > 1 ? `${titleOf(name)}:\n${text}` : text;
  });
  const nextPage = cursor ? [`Next page: --cursor ${cursor}`] : [];
  return [...(fields.length > 0 ? [showFields(fields)] : []), ...tables, ...nextPage].join('\n\n') || 'Done.';
}

function isTable(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === 'object' && value[0] !== null;
}

function columnsOf(rows: readonly Fields[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function showFields(fields: readonly (readonly [string, unknown])[]): string {
  return pairs(
    fields.map(([name, value]) => [
      titleOf(name),
      isTime(name) && value !== null ? `${textOf(name, value)} UTC` : textOf(name, value),
    ]),
  );
}

const isMoney = (name: string): boolean => name.includes('_cents');
const isTime = (name: string): boolean => /(^|_)at$/.test(name);

function cellOf(column: Column<Fields>, row: Fields) {
  const [title, source] = typeof column === 'string' ? [titleOf(column), column] : column;
  const [name, value] = typeof source === 'string' ? [source, row[source]] : ['', source(row)];
  return { title, text: textOf(name, value), isTime: isTime(name), isRight: typeof value === 'number' };
}

function titleOf(name: string): string {
  return name.replace(/^is_|_at$|_cents/g, '').replaceAll('_', ' ');
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

/** Rows under their titles, in columns two spaces apart, numbers to the right. */
function table(columns: readonly Column<never>[], rows: readonly Fields[]): string {
  const shown = columns.map((column) => rows.map((row) => cellOf(column as Column<Fields>, row)));
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
