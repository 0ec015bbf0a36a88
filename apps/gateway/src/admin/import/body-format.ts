import { ServiceError } from '#contracts';

/** Enough for the first two lines of almost any file. A format not recognised within it is taken for NDJSON. */
export const startBytesMax = 32_768;

const newline = 0x0a;
const ndjson = 'one JSON object per line (NDJSON)';
const withCli = 'import it with the command line, see `npm run cli -- creators import --help`';

const sentences = {
  array: `The file is a JSON array; send ${ndjson}: \`jq -c '.[]' file.json\`.`,
  pretty: `The file is JSON with objects that span several lines; send ${ndjson}: \`jq -c . file.json\`.`,
  csv: `The file looks like CSV; ${withCli}.`,
  utf16le: 'The file is in UTF-16; send it in UTF-8: `iconv -f UTF-16LE -t UTF-8 file.ndjson`.',
  utf16be: 'The file is in UTF-16; send it in UTF-8: `iconv -f UTF-16BE -t UTF-8 file.ndjson`.',
  gzip: 'The file is compressed with gzip; send it decompressed: `gunzip -c file.gz`.',
  zstd: 'The file is compressed with zstd; send it decompressed: `zstd -dc file.zst`.',
  zip: `The file is a ZIP archive or an Excel workbook (XLSX); save its data as CSV; ${withCli}.`,
  binary: `The file is binary, not text; send ${ndjson} in UTF-8.`,
} as const;

/** The first four bytes in hexadecimal. None of these can begin a line of JSON. */
const signatures: readonly (readonly [RegExp, keyof typeof sentences])[] = [
  [/^1f8b/, 'gzip'],
  [/^28b52ffd/, 'zstd'],
  [/^504b0(?:304|506)/, 'zip'],
  // With a byte order mark, or an ASCII character, a zero byte and another character.
  [/^(?:fffe|(?:0[9ad]|[2-7].)00(?!00)..00)/, 'utf16le'],
  [/^(?:feff|00(?:0[9ad]|[2-7].)00(?!00))/, 'utf16be'],
];

/** ASCII control characters other than white space. */
const controlCharacter = /[^\P{Cc}\t\n\v\f\r\u007f-\u009f]/u;
const columnName = /^(?:"?[\p{L}_][^"{}[\]:]*"?)?$/u;
const field = /^"(?:[^"\\]|\\.)*"\s*:/;

/**
 * Passes the bytes on unchanged once their start shows that they may be NDJSON. Otherwise throws `invalid_request`,
 * saying how to convert the file, before passing anything on. Buffers at most `startBytesMax` bytes and one piece of
 * the source.
 */
export async function* refuseOtherFormats(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start = Buffer.alloc(0);
  let isChecked = false;
  for await (const bytes of source) {
    if (isChecked) {
      yield bytes;
      continue;
    }
    start = Buffer.concat([start, bytes]);
    if (!isDecisive(start)) continue;
    check(start, false);
    isChecked = true;
    yield start;
    start = Buffer.alloc(0);
  }
  if (isChecked) return;
  check(start, true);
  yield start;
}

function check(start: Buffer, isWhole: boolean): void {
  const problem = otherFormat(start, isWhole);
  if (problem === null) return;
  throw new ServiceError('invalid_request', problem, { details: { body: [problem] } });
}

/**
 * A sentence that says why a file with this start is not NDJSON and how to convert it; `null` when it may be NDJSON,
 * even with invalid lines. `start` is the whole file, or has two lines, or `startBytesMax` bytes.
 */
export function otherFormat(start: Buffer, isWhole: boolean): string | null {
  const format = formatOf(start.subarray(0, startBytesMax), isWhole && start.length <= startBytesMax);
  return format && sentences[format];
}

/** Whether the decision is final: more of the file would not change it. */
export function isDecisive(start: Buffer): boolean {
  return start.length >= startBytesMax || firstLines(start).areComplete;
}

function formatOf(start: Buffer, isWhole: boolean): keyof typeof sentences | null {
  const firstBytes = start.toString('hex', 0, 4);
  const signature = signatures.find(([pattern]) => pattern.test(firstBytes));
  if (signature) return signature[1];
  const [first = '', second = ''] = firstLines(start).lines;
  if (isArray(first, second, isWhole)) return 'array';
  if (first === '{' && field.test(second)) return 'pretty';
  // A valid line, or one meant to be an object: the lines are validated one by one.
  if ([first, second].some((line) => line.startsWith('{') || isJson(line))) return null;
  if (controlCharacter.test(first + second)) return 'binary';
  return isCsv(first, second) ? 'csv' : null;
}

/** An array on one of several lines is only an invalid line. */
function isArray(first: string, second: string, isWhole: boolean): boolean {
  if (isJson(first)) return first.startsWith('[') && second === '' && isWhole;
  return /^\[\s*(?:\{|$)/.test(first);
}

/** A header line, and a line with as many values. */
function isCsv(header: string, row: string): boolean {
  return [',', ';', '\t'].some((separator) => {
    const names = header.split(separator).map((name) => name.trim());
    const hasNames = names.length > 1 && names[0] !== '' && names.every((name) => columnName.test(name));
    return hasNames && row.split(separator).length >= names.length;
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The first two lines at most, without blank lines and the byte order mark; the last may be incomplete. */
function firstLines(start: Buffer): { readonly lines: string[]; readonly areComplete: boolean } {
  const lines: string[] = [];
  for (let from = 0; lines.length < 2;) {
    const end = start.indexOf(newline, from);
    const line = start.toString('utf8', from, end === -1 ? start.length : end).trim();
    if (line !== '') lines.push(line);
    if (end === -1) return { lines, areComplete: false };
    from = end + 1;
  }
  return { lines, areComplete: true };
}
