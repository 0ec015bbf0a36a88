import { type Mapping } from './mapping.js';
import { readRow, type RowReading } from './read-row.js';
import { type RejectedFile, type RejectedLines } from './rejected-lines.js';
import { rowText, type TableRow } from './table.js';

export interface Table {
  readonly header: TableRow;
  readonly delimiter: string;
  /** Those after the header. */
  readonly rows: AsyncIterable<TableRow>;
  /** Written before the first rejected line: the byte order mark that the file had, or nothing. */
  readonly mark: string;
}

/** Large enough that sending costs little per line. */
const pieceLength = 65_536;

/**
 * The rows as NDJSON, each record on the line that its row has in the file, so that the service reports the numbers of
 * the file. Rejected rows leave their lines blank.
 */
export async function* recordLines(
  { rows, header, delimiter, mark }: Table,
  mapping: Mapping,
  rejected: { readonly lines: RejectedLines; readonly file: RejectedFile | null },
): AsyncGenerator<Buffer> {
  const rejectedRows = new RejectedRows(header.cells, delimiter, mark);
  let text = '';
  let nextLine = 1;
  for await (const { line, cells } of rows) {
    const reading =
      fitsHeader(cells, header.cells) ?? unlessSeen(readRow(cells, mapping), line, rejected.file);
    if ('error' in reading) {
      rejected.lines.add(line, reading.error);
      await rejected.file?.write(rejectedRows.textOf(cells, reading.error));
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

/** Only with a file for rejected rows is a row with the slug of an earlier one rejected here. */
function unlessSeen(reading: RowReading, line: number, file: RejectedFile | null): RowReading {
  if ('error' in reading) return reading;
  const error = file?.duplicate(reading.record.slug, line) ?? null;
  return error === null ? reading : { error };
}

/** Empty cells too many do no harm: spreadsheets write them. */
function fitsHeader(cells: readonly string[], header: readonly string[]): { readonly error: string } | null {
  const tooMany = cells.slice(header.length).some((cell) => cell.trim() !== '');
  if (cells.length >= header.length && !tooMany) return null;
  return { error: `the line has ${cells.length} cells, the header has ${header.length}` };
}

/** Rejected rows as they were, with what is wrong in a last column `error`, instead of such a column in the file. */
class RejectedRows {
  private isFirst = true;
  private readonly errorColumn: number;

  constructor(
    private readonly header: readonly string[],
    private readonly delimiter: string,
    private readonly mark: string,
  ) {
    this.errorColumn = header.findIndex((name) => name.trim().toLowerCase() === 'error');
  }

  /** The first one comes with the header. */
  textOf(cells: readonly string[], error: string): string {
    const start = this.isFirst ? this.mark + this.rowWith(this.header, 'error') : '';
    this.isFirst = false;
    return start + this.rowWith(cells, error);
  }

  private rowWith(cells: readonly string[], last: string): string {
    const missing = Array.from({ length: Math.max(0, this.header.length - cells.length) }, () => '');
    const row = [...cells, ...missing].filter((_, index) => index !== this.errorColumn);
    return rowText([...row, last], this.delimiter);
  }
}
