/** Enough for the first two lines of almost any file: what is not recognised within it is taken for NDJSON. */
export const startBytesMax = 32_768;

const newline = 0x0a;
const ndjson = 'one JSON object per line (NDJSON)';
const asRecords = `write each row as a JSON object on a line of its own (NDJSON), see \`npm run cli -- creators import --help\``;

const sentences = {
  array: `The file is a JSON array; send ${ndjson}: \`jq -c '.[]' file.json\`.`,
  pretty: `The file is JSON with an object on several lines; send ${ndjson}: \`jq -c . file.json\`.`,
  csv: `The file looks like CSV; ${asRecords}.`,
  utf16le: 'The file is in UTF-16; send it in UTF-8: `iconv -f UTF-16LE -t UTF-8 file.ndjson`.',
  utf16be: 'The file is in UTF-16; send it in UTF-8: `iconv -f UTF-16BE -t UTF-8 file.ndjson`.',
  gzip: 'The file is compressed with gzip; send what is in it: `gunzip -c file.gz`.',
  zstd: 'The file is compressed with zstd; send what is in it: `zstd -dc file.zst`.',
  zip: `The file is a ZIP archive or an Excel workbook (XLSX); send what is in it, and ${asRecords}.`,
  binary: `The file is binary, not text; send ${ndjson} in UTF-8.`,
} as const;

/** The first four bytes in hexadecimal. None of these can begin a line of JSON. */
const signatures: readonly (readonly [RegExp, keyof typeof sentences])[] = [
  [/^1f8b/, 'gzip'],
  [/^28b52ffd/, 'zstd'],
  [/^504b0(?:304|506)/, 'zip'],
  // With a byte order mark, or an ASCII character beside a zero and then another character.
  [/^(?:fffe|(?:0[9ad]|[2-7].)00(?!00)..00)/, 'utf16le'],
  [/^(?:feff|00(?:0[9ad]|[2-7].)00(?!00))/, 'utf16be'],
];

/** Of ASCII, without those of white space. */
const controlCharacter = /[^\P{Cc}\t\n\v\f\r\u007f-\u009f]/u;
const columnName = /^(?:"?[\p{L}_][^"{}[\]:]*"?)?$/u;
const field = /^"(?:[^"\\]|\\.)*"\s*:/;

/**
 * Why a file that starts like this is certainly no NDJSON, as a sentence that says how to mend it; `null` when it may be
 * NDJSON, however bad its lines are. `start` is the whole file, or has two lines, or `startBytesMax` bytes.
 */
export function otherFormat(start: Buffer, isWhole: boolean): string | null {
  const format = formatOf(start.subarray(0, startBytesMax), isWhole && start.length <= startBytesMax);
  return format && sentences[format];
}

/** Whether more of the file would change nothing. */
export function isEnoughToJudge(start: Buffer): boolean {
  return start.length >= startBytesMax || firstLines(start).areComplete;
}

function formatOf(start: Buffer, isWhole: boolean): keyof typeof sentences | null {
  const firstBytes = start.toString('hex', 0, 4);
  const signature = signatures.find(([pattern]) => pattern.test(firstBytes));
  if (signature) return signature[1];
  const [first = '', second = ''] = firstLines(start).lines;
  if (isArray(first, second, isWhole)) return 'array';
  if (first === '{' && field.test(second)) return 'pretty';
  // One good line, or one that was meant to be an object: the lines are judged one by one.
  if ([first, second].some((line) => line.startsWith('{') || isJson(line))) return null;
  if (controlCharacter.test(first + second)) return 'binary';
  return isCsv(first, second) ? 'csv' : null;
}

/** An array on a line among others is merely a bad line. */
function isArray(first: string, second: string, isWhole: boolean): boolean {
  if (isJson(first)) return first.startsWith('[') && second === '' && isWhole;
  return /^\[\s*(?:\{|$)/.test(first);
}

/** A line of names, and another with as many values. */
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

/** Two lines at most, without blank ones and a byte order mark; the last one may be cut off. */
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
