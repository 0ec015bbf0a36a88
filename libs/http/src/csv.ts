import { type Page, withoutDirections } from '#contracts';

const lineEnd = '\r\n';
/** By it Excel reads the file as UTF-8. */
const byteOrderMark = '\ufeff';

/** One line of CSV (RFC 4180). */
export function csvLine(values: readonly (string | number | null)[]): string {
  return values.map(csvField).join(',') + lineEnd;
}

/** Quotes a field where needed, and escapes one that a spreadsheet would run as a formula or show as another. */
function csvField(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const shown = withoutDirections(value);
  const text = /^[=+\-@\t\r]/.test(shown) ? `'${shown}` : shown;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

type Line<Column extends string> = Readonly<Record<Column, string | number | null>>;

/** A whole list as CSV, page by page. Resolves once there is a first page, so that what it fails with can be the whole answer. */
export async function csvPages<Item, const Column extends string>(
  columns: readonly Column[],
  lineOf: (item: Item) => Line<Column>,
  read: (cursor?: string) => Promise<Page<Item>>,
): Promise<AsyncIterable<string>> {
  const first = await read();
  return (async function* () {
    yield byteOrderMark + csvLine(columns);
    for (let page = first; ; page = await read(page.next_cursor)) {
      const lines = page.items.map(lineOf);
      yield lines.map((line) => csvLine(columns.map((column) => line[column]))).join('');
      if (page.next_cursor === null) return;
    }
  })();
}
