import { type FileHandle } from 'node:fs/promises';
import { type ImportMode } from '#contracts';
import { type TableRow } from './csv.js';
import { type Mapping } from './mapping.js';
import { readRow, type RowReading } from './read-row.js';
import { type RejectedLines } from './rejected-lines.js';

/** Writes a row as text, with its line end. */
export function rowText(cells: readonly string[], delimiter: string): string {
  return `${cells.map((cell) => cellText(cell, delimiter)).join(delimiter)}\n`;
}

function cellText(cell: string, delimiter: string): string {
  const needsQuotes = cell.includes(delimiter) || /["\r\n]/.test(cell);
  return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
}

export interface Table {
  readonly header: TableRow;
  readonly delimiter: string;
  /** Rows after the header. */
  readonly rows: AsyncIterable<TableRow>;
  readonly mode: ImportMode;
  /** Words of cells that mean that there is nothing. */
  readonly nulls?: readonly string[];
}

/** Large enough that sending costs little per line. */
const pieceLength = 65_536;
const byteOrderMark = '\uFEFF';

/**
 * The rows as NDJSON, each record on the line that its row has in the file, so that the service reports the numbers of
 * the file. Rejected rows leave their lines blank.
 */
export async function* recordLines(
  { rows, header, delimiter, nulls, mode }: Table,
  mapping: Mapping,
  rejected: { readonly lines: RejectedLines; readonly file: FileHandle | null },
): AsyncGenerator<Buffer> {
  const rejectedRow = (row: readonly string[], error: string) =>
    rowText([...withoutErrors(row, header.cells), error], delimiter);
  // With the byte order mark a spreadsheet program reads it as UTF-8.
  let beforeRejected = byteOrderMark + rejectedRow(header.cells, 'error');
  let text = '';
  let nextLine = 1;
  for await (const { line, cells, error } of rows) {
    const broken: RowReading | null = error === undefined ? fitsHeader(cells, header.cells) : { error };
    const reading = broken ?? readRow(cells, mapping, nulls, mode);
    if ('error' in reading) {
      rejected.lines.add(line, reading.error, reading.reason);
      await rejected.file?.writeFile(beforeRejected + rejectedRow(cells, reading.error));
      beforeRejected = '';
      continue;
    }
    text += `${'\n'.repeat(line - nextLine)}${JSON.stringify(reading.record)}\n`;
    nextLine = line + 1;
    if (text.length < pieceLength) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

/** Empty cells too many do no harm: spreadsheets write them. */
function fitsHeader(cells: readonly string[], header: readonly string[]): { readonly error: string } | null {
  const tooMany = cells.slice(header.length).some((cell) => cell.trim() !== '');
  if (cells.length >= header.length && !tooMany) return null;
  return { error: `the line has ${cells.length} cells, the header has ${header.length}` };
}

/** A row with as many cells as its header, but those of a column `error`: a rejected row gets one of its own at the end. */
function withoutErrors(cells: readonly string[], header: readonly string[]): string[] {
  const errors = header.findIndex((name) => name.trim().toLowerCase() === 'error');
  const missing = Array.from({ length: Math.max(0, header.length - cells.length) }, () => '');
  return [...cells, ...missing].filter((_, index) => index !== errors);
}
