import { importChunkBytesMax } from '#contracts';
import { DamagedFileError } from '../errors.js';

export interface TableRow {
  /** Number of its first line in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Why the line is no row; its cells are then the texts between the separators. */
  readonly error?: string;
}

/** No row is longer, and a quote that is open for longer is never closed. */
const rowLengthMax = importChunkBytesMax;

/**
 * The rows of a table, its header first; rows without any text are left out. A line that is no row is reported, and the
 * next one is read by itself: no line is lost. Memory is bounded by the longest row.
 */
export async function* csvRows(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<TableRow> {
  const reader = new CsvReader(delimiter);
  for await (const piece of text) yield* reader.rowsOf(piece, false);
  yield* reader.rowsOf('', true);
}

const lineBreak = /\r\n|\r|\n/;

const problems = {
  open: 'a cell starts with a quote that is never closed',
  broken: 'there is text after the closing quote of a cell: quotes within it must be doubled',
  joined: 'a quoted cell goes on over lines that look like rows: a quote is missing, or one too many',
} as const;

/** The cells that begin at a place, and where their row ends; or why they are no row. */
type Scan =
  { readonly cells: string[]; readonly end: number; readonly hasQuotes: boolean } | 'open' | 'broken';

class CsvReader {
  /** What is not yet a whole row. */
  private rest = '';
  private line = 1;
  /** Cells of the header; 0 before it. */
  private width = 0;
  private readonly cellEnd: RegExp;
  private readonly lineEnd = /[\r\n]/g;

  constructor(private readonly delimiter: string) {
    this.cellEnd = new RegExp(`[${delimiter.replace(/[\\\]^-]/, '\\$&')}\\r\\n]`, 'g');
  }

  /** The rows that are whole with this piece of the text. */
  *rowsOf(piece: string, isLast: boolean): Generator<TableRow> {
    const text = this.rest + piece;
    let start = 0;
    while (start < text.length) {
      const scan = this.scan(text, start);
      const end = typeof scan === 'string' ? next(this.lineEnd, text, start) : scan.end;
      const isTooLong = text.length - start > rowLengthMax;
      // Behind a carriage return there may be a line feed.
      if (!isLast && (end >= text.length - 1 || (scan === 'open' && !isTooLong))) {
        if (isTooLong) throw new DamagedFileError(`Line ${this.line} of the table is longer than 1 MiB.`);
        break;
      }
      yield* this.read(text.slice(start, end), scan);
      start = end + (text.startsWith('\r\n', end) ? 2 : 1);
    }
    this.rest = text.slice(start);
  }

  private *read(source: string, scan: Scan): Generator<TableRow> {
    const isRow = typeof scan !== 'string';
    const lines = isRow && scan.hasQuotes ? source.split(lineBreak) : [source];
    const problem = !isRow ? scan : this.hasJoinedRows(lines) ? 'joined' : null;
    if (problem !== null) {
      const error = problems[problem];
      for (const [index, text] of lines.entries()) {
        if (text.trim() !== '') yield { line: this.line + index, cells: this.split(text), error };
      }
    } else if (isRow && scan.cells.some((cell) => cell.trim() !== '')) {
      this.width ||= scan.cells.length;
      yield { line: this.line, cells: scan.cells };
    }
    this.line += lines.length;
  }

  /** Reads the cells of a row. A quote within a cell that starts without one is a character: 5" is five inches. */
  private scan(text: string, start: number): Scan {
    const cells: string[] = [];
    let hasQuotes = false;
    for (let at = start; ; at += 1) {
      if (text[at] === '"') {
        const end = closingQuote(text, at + 1);
        if (end === -1) return 'open';
        cells.push(text.slice(at + 1, end).replaceAll('""', '"'));
        hasQuotes = true;
        at = end + 1;
      } else {
        const end = next(this.cellEnd, text, at);
        cells.push(text.slice(at, end));
        at = end;
      }
      const sign = text[at];
      if (sign === undefined || sign === '\n' || sign === '\r') return { cells, end: at, hasQuotes };
      if (sign !== this.delimiter) return 'broken';
    }
  }

  /**
   * Whether a stray quote has joined rows: a line within a cell has the header's number of cells, or the first and the last
   * line have.
   */
  private hasJoinedRows(lines: readonly string[]): boolean {
    if (lines.length === 1 || this.width === 0) return false;
    const widthOf = (line = ''): number => this.split(line).length;
    // Other lines than these begin or end a cell.
    const within = lines.slice(1, -1).filter((line) => !line.replaceAll('""', '').includes('"'));
    if (within.some((line) => widthOf(line) === this.width)) return true;
    return widthOf(lines[0]) >= this.width && widthOf(lines.at(-1)) >= this.width;
  }

  private split(line: string): string[] {
    return line.split(this.delimiter);
  }
}

/** Where the sign is found from a place on, else the end of the text. */
function next(sign: RegExp, text: string, from: number): number {
  sign.lastIndex = from;
  return sign.exec(text)?.index ?? text.length;
}

/** The first quote that is not doubled; -1: there is none. */
function closingQuote(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end;
}
