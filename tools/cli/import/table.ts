import { pipeline } from 'node:stream';
import { importChunkBytesMax } from '#contracts';
import { CsvError, parse } from 'csv-parse';
import { DamagedFileError } from '../errors.js';

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
