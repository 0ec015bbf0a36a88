import { pipeline } from 'node:stream';
import { importChunkBytesMax } from '#contracts';
import { CsvError, parse } from 'csv-parse';
import { DamagedFileError } from '../errors.js';
import { type Mapping } from './mapping.js';
import { readRow, type RowReading } from './read-row.js';
import { type RejectedFile, type RejectedLines } from './rejected-lines.js';

export interface TableRow {
  /** Number of its first line in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

const lineBreak = /\r\n|\r|\n/g;

/** The rows of a table, its header first; rows without any text are left out. Memory is bounded by the longest row. */
export async function* tableRows(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<TableRow> {
  let line = 1;
  /** Of the rows that are parsed and not yet taken. */
  const firstLines: number[] = [];
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // A quote inside a cell is a character like any other: 5" is five inches.
    relax_quotes: true,
    max_record_size: importChunkBytesMax,
    on_record: (cells) => {
      const isBlank = cells.every((cell) => cell.trim() === '');
      if (!isBlank) firstLines.push(line);
      line += 1 + cells.reduce((count, cell) => count + (cell.match(lineBreak)?.length ?? 0), 0);
      return isBlank ? null : cells;
    },
  });
  // Its errors reach the loop below.
  pipeline(text, parser, () => undefined);
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      yield { line: firstLines.shift() ?? line, cells };
    }
  } catch (error) {
    throw error instanceof CsvError ? unreadable(error, line) : error;
  }
}

const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a cell starts with a quote and never ends',
  CSV_MAX_RECORD_SIZE: 'a row is longer than 1 MiB, or a cell starts with a quote and never ends',
};

function unreadable({ code, message }: CsvError, line: number): DamagedFileError {
  return new DamagedFileError(`The table can't be read from line ${line} on: ${reasons[code] ?? message}.`);
}

/** One row as text, with its line end. */
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
  const rejectedRow = (row: readonly string[], error: string) =>
    rowText([...withoutErrors(row, header.cells), error], delimiter);
  let beforeRejected = mark + rejectedRow(header.cells, 'error');
  let text = '';
  let nextLine = 1;
  for await (const { line, cells } of rows) {
    const reading =
      fitsHeader(cells, header.cells) ?? unlessSeen(readRow(cells, mapping), line, rejected.file);
    if ('error' in reading) {
      rejected.lines.add(line, reading.error);
      await rejected.file?.write(beforeRejected + rejectedRow(cells, reading.error));
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

/** A row with as many cells as its header, but those of a column `error`: a rejected row gets one of its own at the end. */
function withoutErrors(cells: readonly string[], header: readonly string[]): string[] {
  const errors = header.findIndex((name) => name.trim().toLowerCase() === 'error');
  const missing = Array.from({ length: Math.max(0, header.length - cells.length) }, () => '');
  return [...cells, ...missing].filter((_, index) => index !== errors);
}
