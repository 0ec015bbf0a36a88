import { CliError } from '../errors.js';
import { decode, describeFormat, formatOf, peek, type TextFormat, unzipped } from './file-format.js';
import { mapColumns, type MappingOptions } from './mapping.js';
import { withRejectedCopied } from './ndjson-lines.js';
import { type RejectedFile, RejectedLines } from './rejected-lines.js';
import { recordLines, tableRows } from './table.js';

export interface ImportOptions extends MappingOptions {
  /** Gets the lines that fail here. */
  readonly rejectedFile: RejectedFile | null;
}

export interface ImportLines {
  /** What the file was found to be. */
  readonly format: string;
  /** NDJSON for the service; read no faster than it is taken. */
  readonly lines: AsyncIterable<Buffer>;
  /** Lines of the file that are not among them; complete at their end. */
  readonly rejected: RejectedLines;
}

/**
 * The lines of a file in any format that can be imported. Throws `CliError` for a table whose columns don't fit, before
 * the first line; reading the lines throws `DamagedFileError` where the file is.
 */
export async function importLines(
  source: AsyncIterable<Buffer>,
  options: ImportOptions,
): Promise<ImportLines> {
  const { isCompressed, bytes } = await unzipped(source);
  const { start, whole } = await peek(bytes);
  const format = formatOf(start);
  const rejected = new RejectedLines();
  const { delimiter } = format;
  const lines =
    delimiter === null
      ? ndjsonLines(whole, format, options)
      : await tableLines(whole, { ...format, delimiter }, options, rejected);
  return { format: `${isCompressed ? 'gzip, ' : ''}${describeFormat(format)}`, lines, rejected };
}

function ndjsonLines(
  bytes: AsyncIterable<Buffer>,
  { encoding }: TextFormat,
  { map, set, rejectedFile }: ImportOptions,
): AsyncIterable<Buffer> {
  if (map ?? set) throw new CliError('--map and --set are for tables, and this file is none.');
  // UTF-8 passes as it is: the service rejects lines that are not valid one by one.
  const lines = encoding === 'utf-8' ? bytes : encoded(decode(bytes, encoding));
  return rejectedFile ? withRejectedCopied(lines, rejectedFile) : lines;
}

async function tableLines(
  bytes: AsyncIterable<Buffer>,
  { encoding, hasMark, delimiter }: TextFormat & { readonly delimiter: string },
  { map, set, rejectedFile }: ImportOptions,
  rejected: RejectedLines,
): Promise<AsyncIterable<Buffer>> {
  const rows = tableRows(decode(bytes, encoding), delimiter);
  const first = await rows.next();
  if (first.done) throw new CliError('The table has no header line.');
  const header = first.value;
  const mapping = mapColumns(header.cells, { map, set });
  const table = { header, rows, delimiter, mark: hasMark ? '\uFEFF' : '' };
  return recordLines(table, mapping, { lines: rejected, file: rejectedFile });
}

async function* encoded(text: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of text) yield Buffer.from(piece);
}
