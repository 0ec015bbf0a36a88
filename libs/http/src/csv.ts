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

type Value = string | number | null;

/** A whole list as CSV, page by page, beginning with `first`. */
export async function* csvPages<Item>(
  columns: readonly string[],
  valuesOf: (item: Item) => readonly Value[],
  first: Page<Item>,
  next: (cursor: string) => Promise<Page<Item>>,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(columns);
  for (let page = first; ;) {
    yield page.items.map((item) => csvLine(valuesOf(item))).join('');
    if (page.next_cursor === null) return;
    page = await next(page.next_cursor);
  }
}
