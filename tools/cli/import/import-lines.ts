import { type FileHandle } from 'node:fs/promises';
import { type ImportMode } from '#contracts';
import { CliError } from '../errors.js';
import { csvRows, type TableRow } from './csv.js';
import { decode, describeFormat, formatOf, isWorkbook, peek, unzipped } from './file-format.js';
import { mapColumns, type MappingOptions } from './mapping.js';
import { withRejectedCopied } from './ndjson-lines.js';
import { RejectedLines } from './rejected-lines.js';
import { recordLines } from './table.js';
import { xlsxRows } from './xlsx.js';

export interface ImportOptions extends MappingOptions {
  /** How records are stored. Default: tables merge, NDJSON replaces. */
  readonly mode?: ImportMode;
  /** Further words of cells that mean that there is nothing. */
  readonly null?: readonly string[];
  /** Gets the lines that fail here. */
  readonly rejectedFile: FileHandle | null;
  /** Gets sentences about what is assumed. */
  readonly note: (text: string) => void;
}

export interface ImportLines {
  /** What the file was found to be. */
  readonly format: string;
  readonly mode: ImportMode;
  /** NDJSON for the service; read no faster than it is taken. */
  readonly lines: AsyncIterable<Buffer>;
  /** Lines of the file that are not sent; complete once all lines were read. */
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
  const rejected = new RejectedLines();
  if (isWorkbook(start)) {
    const lines = await tableLines(xlsxRows(whole), ',', options, rejected);
    return { format: 'an Excel workbook', ...lines, rejected };
  }
  const format = formatOf(start);
  const { encoding, delimiter, hasSeparatorLine } = format;
  const described = `${isCompressed ? 'gzip, ' : ''}${describeFormat(format)}`;
  if (delimiter === null) {
    const lines = encoding === 'utf-8' ? whole : encoded(decode(whole, encoding, options.note));
    return { format: described, ...ndjsonLines(lines, options), rejected };
  }
  const rows = csvRows(decode(whole, encoding, options.note), delimiter);
  if (hasSeparatorLine) await rows.next();
  return { format: described, ...(await tableLines(rows, delimiter, options, rejected)), rejected };
}

/** UTF-8 passes as it is: the service rejects lines that are not valid one by one. */
function ndjsonLines(
  lines: AsyncIterable<Buffer>,
  { map, set, default: defaults, platform, null: nulls, mode = 'replace', rejectedFile }: ImportOptions,
): Pick<ImportLines, 'lines' | 'mode'> {
  if (map ?? set ?? defaults ?? platform ?? nulls) {
    throw new CliError(
      '--map, --set, --default, --platform and --null are for tables, and this file is none.',
    );
  }
  return { mode, lines: rejectedFile ? withRejectedCopied(lines, rejectedFile) : lines };
}

async function tableLines(
  rows: AsyncGenerator<TableRow>,
  delimiter: string,
  { mode = 'merge', null: nulls, rejectedFile, ...options }: ImportOptions,
  rejected: RejectedLines,
): Promise<Pick<ImportLines, 'lines' | 'mode'>> {
  const first = await rows.next();
  if (first.done) throw new CliError('The table has no header line.');
  const header = first.value;
  if (header.error !== undefined) throw new CliError(`The header line can't be read: ${header.error}.`);
  const mapping = mapColumns(header.cells, { ...options, mode });
  const missing = (['name', 'country'] as const).filter((field) => !mapping.has(field));
  if (missing.length > 0) {
    options.note(
      `Without a column for ${missing.join(' and ')}: only creators who are known already are updated.`,
    );
  }
  const table = { header, rows, delimiter, nulls, mode };
  return { mode, lines: recordLines(table, mapping, { lines: rejected, file: rejectedFile }) };
}

async function* encoded(text: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of text) yield Buffer.from(piece);
}
