import {
  countryName,
  type ImportLineError,
  type ImportMode,
  type ImportRules,
  isTooDeep,
  jsonDepthMax,
  languageName,
} from '#contracts/threads';
import {
  needsContent,
  parseCreatorRecord,
  parseRecordToMerge,
  prepareLine,
  type PreparedLine,
  RecordError,
  type RecordToMerge,
  wholeRecord,
} from '../creators/parse-creator-record.js';

/** A chunk after all work that needs no database. */
export interface PreparedChunk {
  /** Lines that are not blank. */
  readonly received: number;
  readonly lines: readonly PreparedLine[];
  readonly errors: ImportLineError[];
  /** Countries and languages that no known name or code stands for. */
  readonly unknownNames: string[];
}

/**
 * Reads the lines of a chunk. An invalid line becomes an error with its number and affects no other. Blank lines are
 * not counted as received, but they are numbered.
 */
export function prepareChunk(bytes: Buffer, firstLine: number, now: Date, rules: ImportRules): PreparedChunk {
  const lines: PreparedLine[] = [];
  const errors: ImportLineError[] = [];
  const unknownNames = new Set<string>();
  let received = 0;
  let line = firstLine;
  for (const raw of linesOf(bytes)) {
    const read = readLine(raw, now, rules.mode);
    if (typeof read === 'string') errors.push({ line, error: read });
    else if (read !== null) {
      lines.push(prepareLine(line, read, needsContent(rules)));
      for (const name of unknownNamesOf(read)) unknownNames.add(name);
    }
    if (read !== null) received += 1;
    line += 1;
  }
  return { received, lines, errors, unknownNames: [...unknownNames] };
}

function unknownNamesOf({ record: { country, languages }, given }: RecordToMerge): string[] {
  const isGiven = given?.includes('country') ?? true;
  return [
    ...(isGiven && countryName(country) === null ? [country] : []),
    ...languages.filter((language) => languageName(language) === null),
  ];
}

const lineFeed = 0x0a;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A record, the reason why the line is invalid, or `null` for a blank line. */
function readLine(raw: Buffer, now: Date, mode: ImportMode): RecordToMerge | string | null {
  let text: string;
  try {
    text = utf8.decode(raw).trim();
  } catch {
    return 'the line is not valid UTF-8';
  }
  if (text === '') return null;
  if (isTooDeep(text)) return `the line must not be nested more than ${jsonDepthMax} levels deep`;
  try {
    const value: unknown = JSON.parse(text);
    return mode === 'merge' ? parseRecordToMerge(value, now) : wholeRecord(parseCreatorRecord(value, now));
  } catch (error) {
    if (error instanceof RecordError) return error.message;
    if (error instanceof SyntaxError) return 'the line is not valid JSON';
    throw error;
  }
}

function* linesOf(bytes: Buffer): Generator<Buffer> {
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(lineFeed, start);
    const stop = end === -1 ? bytes.length : end;
    yield bytes.subarray(start, stop);
    start = stop + 1;
  }
}
