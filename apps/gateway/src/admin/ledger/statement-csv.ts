import { type LedgerEntryView, type Page } from '@app/contracts';
import { csvLine } from '../../text/csv.js';
import { csvPages } from '../../text/csv.js';

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

/** The first line of every statement. */
export const statementHeader = csvLine(columns);

/** A ledger entry as one line of CSV. */
export function statementLine(entry: LedgerEntryView): string {
  return csvLine(valuesOf(entry));
}

/** A whole statement, page by page, beginning with `first`. */
export function statementCsv(
  first: Page<LedgerEntryView>,
  next: (cursor: string) => Promise<Page<LedgerEntryView>>,
): AsyncGenerator<string> {
  return csvPages(columns, valuesOf, first, next);
}

function valuesOf(entry: LedgerEntryView): (string | number | null)[] {
  return columns.map((column) => entry[column]);
}
