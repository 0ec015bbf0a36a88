import { type LedgerEntryView, type Page } from '@app/contracts';

const columns = [
  'id',
  'at',
  'type',
  'credits',
  'lot_id',
  'charge_id',
  'request_id',
  'operation',
  'key_id',
  'state',
  'reference',
  'reason',
] as const satisfies readonly (keyof LedgerEntryView)[];

const lineEnd = '\r\n';

/** The first line of every statement. */
export const statementHeader = columns.join(',') + lineEnd;

/** A ledger entry as one line of CSV (RFC 4180). */
export function statementLine(entry: LedgerEntryView): string {
  return columns.map((column) => csvField(entry[column])).join(',') + lineEnd;
}

/** Quotes a field where needed, and escapes one that a spreadsheet would run as a formula. */
function csvField(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A whole statement, page by page, beginning with `first`. */
export async function* statementCsv(
  first: Page<LedgerEntryView>,
  next: (cursor: string) => Promise<Page<LedgerEntryView>>,
): AsyncGenerator<string> {
  yield statementHeader;
  for (let page = first; ;) {
    yield page.items.map(statementLine).join('');
    if (page.next_cursor === null) return;
    page = await next(page.next_cursor);
  }
}
