import { type Page } from '@app/contracts';
import { csvLine } from './csv.js';

type Value = string | number | null;

/** A whole list as CSV, page by page, beginning with `first`. */
export async function* csvPages<Item>(
  columns: readonly string[],
  valuesOf: (item: Item) => readonly Value[],
  first: Page<Item>,
  next: (cursor: string) => Promise<Page<Item>>,
): AsyncGenerator<string> {
  yield csvLine(columns);
  for (let page = first; ;) {
    yield page.items.map((item) => csvLine(valuesOf(item))).join('');
    if (page.next_cursor === null) return;
    page = await next(page.next_cursor);
  }
}
