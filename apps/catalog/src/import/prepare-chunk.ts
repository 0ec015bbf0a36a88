import { type ImportLineError, type ImportReport } from '#contracts';
import { duplicateSlug, isTooDeep, jsonDepthMax } from '#contracts/threads';
import { stagedRow } from '../creators/creator-row.js';
import { type GivenCreator } from '../creators/creator.js';
import { parseCreatorRecord, RecordError } from '../creators/parse-creator-record.js';

/** A chunk after all work that needs no database. */
export interface PreparedChunk {
  readonly received: number;
  /** Creators to be stored. */
  readonly count: number;
  /** Their rows for the staging table, in a separate buffer that a thread can transfer. */
  readonly rows: Uint8Array<ArrayBuffer>;
  readonly errors: ImportReport['errors'];
}

/** Prepares chunks, on any thread. */
export abstract class ChunkPreparer {
  abstract prepare(bytes: Buffer, firstLine: number): Promise<PreparedChunk>;
  abstract close(): Promise<void>;
}

const encoder = new TextEncoder();

export function prepareChunk(bytes: Buffer, firstLine: number, now: Date): PreparedChunk {
  const { received, records, errors } = parseChunk(bytes, firstLine, now);
  const rows = records.map(({ line, record }) => stagedRow(record, line));
  return { received, count: rows.length, rows: encoder.encode(rows.join('')), errors };
}

interface ParsedLine {
  readonly line: number;
  readonly record: GivenCreator;
}

interface ParsedChunk {
  /** Lines that are not blank. */
  readonly received: number;
  /** At most one per slug: the first. */
  readonly records: ParsedLine[];
  readonly errors: ImportLineError[];
}

const lineFeed = 0x0a;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the lines of a chunk. An invalid line becomes an error with its number and affects no other. Blank lines are
 * not counted as received, but they are numbered.
 */
export function parseChunk(bytes: Buffer, firstLine: number, now: Date): ParsedChunk {
  const records = new Map<string, ParsedLine>();
  const errors: ImportLineError[] = [];
  let received = 0;
  let line = firstLine;
  for (const raw of linesOf(bytes)) {
    const parsed = parseLine(raw, now);
    if (parsed !== null) {
      received += 1;
      const first = typeof parsed === 'string' ? undefined : records.get(parsed.slug);
      if (typeof parsed === 'string') errors.push({ line, error: parsed });
      else if (first) errors.push({ line, error: duplicateSlug(parsed.slug, first.line) });
      else records.set(parsed.slug, { line, record: parsed });
    }
    line += 1;
  }
  return { received, records: [...records.values()], errors };
}

/** A record, the reason why the line is invalid, or `null` for a blank line. */
function parseLine(raw: Buffer, now: Date): GivenCreator | string | null {
  let text: string;
  try {
    text = utf8.decode(raw).trim();
  } catch {
    return 'the line is not valid UTF-8';
  }
  if (text === '') return null;
  if (isTooDeep(text)) return `the line must not be nested more than ${jsonDepthMax} levels deep`;
  try {
    return parseCreatorRecord(JSON.parse(text), now);
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
