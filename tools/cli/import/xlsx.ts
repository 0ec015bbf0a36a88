import { readSheet } from 'read-excel-file/node';
import { CliError, DamagedFileError, messageOf } from '../errors.js';
import { type TableRow } from './csv.js';

/** About 150,000 rows in 300 MB of memory: a workbook is read as a whole. */
const workbookBytesMax = 4 * 1024 * 1024;

/** The rows of a workbook's first sheet; those without any text are left out. Times have no zone there: they are taken as UTC. */
export async function* xlsxRows(bytes: AsyncIterable<Buffer>): AsyncGenerator<TableRow> {
  const workbook = await upTo(workbookBytesMax, bytes);
  const rows = await readSheet(workbook, 1, { trim: false, parseNumber: numberText }).catch(
    (error: unknown) => {
      throw new DamagedFileError(`The workbook can't be read: ${messageOf(error)}`);
    },
  );
  for (const [index, row] of rows.entries()) {
    const cells = row.map(cellText);
    if (cells.some((cell) => cell.trim() !== '')) yield { line: index + 1, cells };
  }
}

async function upTo(bytesMax: number, bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    length += piece.length;
    if (length > bytesMax) {
      throw new CliError('The workbook is larger than 4 MiB. Save it as "CSV UTF-8" and import that file.');
    }
  }
  return Buffer.concat(pieces);
}

/** A spreadsheet keeps 15 digits: a longer number is written with an exponent, so that it is not taken for a whole one. */
function numberText(text: string): string {
  const value = Number(text);
  return Math.abs(value) < 1e15 ? String(value) : value.toExponential();
}

function cellText(cell: unknown): string {
  if (cell instanceof Date) return cell.toISOString().replace('T00:00:00.000Z', '');
  return typeof cell === 'string' || typeof cell === 'boolean' ? String(cell) : '';
}
