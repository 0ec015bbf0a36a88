import { isAscii, isUtf8 } from 'node:buffer';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DamagedFileError } from '../errors.js';

/** Holds the header line of almost any table. */
const startBytes = 65_536;
/** A quarter faster than the default of 16 KiB. */
const pieceBytes = 1024 * 1024;

/** A stream whose start has been looked at. */
export interface Peeked {
  /** The first bytes: all of a short stream. */
  readonly start: Buffer;
  /** The stream with its start. */
  readonly whole: AsyncIterable<Buffer>;
}

export async function peek(source: AsyncIterable<Buffer>): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < startBytes) {
    const next = await iterator.next();
    if (next.done) break;
    start = Buffer.concat([start, next.value]);
  }
  return { start, whole: joined(start, { [Symbol.asyncIterator]: () => iterator }) };
}

async function* joined(start: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (start.length > 0) yield start;
  yield* rest;
}

/** The bytes of a file that may be compressed with gzip. */
export async function unzipped(
  source: AsyncIterable<Buffer>,
): Promise<{ readonly isCompressed: boolean; readonly bytes: AsyncIterable<Buffer> }> {
  const { start, whole } = await peek(source);
  const isCompressed = start[0] === 0x1f && start[1] === 0x8b;
  return { isCompressed, bytes: isCompressed ? gunzip(whole) : whole };
}

/** Throws `DamagedFileError` where the data can't be decompressed. */
async function* gunzip(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const unzip = createGunzip({ chunkSize: pieceBytes });
  // Its errors reach the loop below.
  pipeline(source, unzip, () => undefined);
  try {
    yield* unzip as AsyncIterable<Buffer>;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isDamaged = code?.startsWith('Z_') === true;
    throw isDamaged ? new DamagedFileError(`The gzip file is damaged or not complete: ${message}.`) : error;
  }
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

export interface TextFormat {
  readonly encoding: Encoding;
  /** Between the cells of a table; `null` for NDJSON, and for what the service is to name. */
  readonly delimiter: string | null;
  /** Begins with `sep=;`, by which Excel finds the delimiter. */
  readonly hasSeparatorLine: boolean;
}

const marks: readonly (readonly [hex: string, Encoding])[] = [
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];

/** A workbook of Excel is a zip file. */
export function isWorkbook(start: Buffer): boolean {
  return start.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004';
}

const delimiterNames = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' } as const;

/** The format of a file, by its first bytes: those of the header line at least. */
export function formatOf(start: Buffer): TextFormat {
  const firstBytes = start.toString('hex', 0, 3);
  const encoding = marks.find(([hex]) => firstBytes.startsWith(hex))?.[1] ?? 'utf-8';
  const text = new TextDecoder(encoding).decode(start);
  const separator = /^sep=([^\r\n])[\r\n]/i.exec(text)?.[1];
  const delimiter = separator ?? (isTable(text) ? delimiterOf(text) : null);
  return { encoding, delimiter, hasSeparatorLine: separator !== undefined };
}

/** `UTF-16LE, a table with semicolons`. */
export function describeFormat({ encoding, delimiter }: TextFormat): string {
  const name = Object.entries(delimiterNames).find(([sign]) => sign === delimiter)?.[1] ?? delimiter;
  return `${encoding.toUpperCase()}, ${name === null ? 'NDJSON' : `a table with ${name}`}`;
}

/** JSON begins with a brace or a bracket, other formats have control characters near their start. */
function isTable(text: string): boolean {
  const [first = '', second = ''] = text.trimStart().split('\n', 2);
  return first !== '' && !/^[{[]/.test(first) && !/[^\P{Cc}\t\n\v\f\r\u007f-\u009f]/u.test(first + second);
}

/** The sign that separates most cells of the header, whose quoted names may hold any sign. */
function delimiterOf(text: string): string {
  const fromHeader = text.replace(/^(?:[^\S\r\n]*[\r\n])+/, '');
  const [header = ''] = fromHeader.replace(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1);
  const counts = Object.keys(delimiterNames).map((sign) => ({ sign, count: header.split(sign).length }));
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).sign;
}

/**
 * The text of a file, in pieces as it is read. What should be UTF-8 and is not is read as Windows-1252, after `note` has
 * got a sentence about that. Throws `DamagedFileError` at the first bytes that are not text.
 */
export async function* decode(
  bytes: AsyncIterable<Buffer>,
  encoding: Encoding,
  note: (text: string) => void,
): AsyncGenerator<string> {
  let decoder: TextDecoder | null = encoding === 'utf-8' ? null : new TextDecoder(encoding, { fatal: true });
  /** Begins with what is not ASCII; too short to see what it is. */
  let held = Buffer.alloc(0);
  for await (const piece of bytes) {
    held = Buffer.concat([held, piece]);
    if (!decoder && !isAscii(held.subarray(0, -longestCharacter))) decoder = decoderOf(held, note);
    if (!decoder && !isAscii(held)) continue;
    yield decodePiece(decoder, held, { stream: true });
    held = Buffer.alloc(0);
  }
  decoder ??= decoderOf(held, note);
  yield decodePiece(decoder, held, {});
}

/** Bytes of the longest UTF-8 character. */
const longestCharacter = 4;

/** Chooses the decoder by the first character that is not ASCII. */
function decoderOf(bytes: Buffer, note: (text: string) => void): TextDecoder {
  const start = bytes.findIndex((byte) => byte > 0x7f);
  const isCharacter = (length: number): boolean => isUtf8(bytes.subarray(start, start + length));
  if (start === -1 || [2, 3, longestCharacter].some(isCharacter)) {
    return new TextDecoder('utf-8', { fatal: true });
  }
  note(
    'The file is not UTF-8: reading it as Windows-1252. If letters come out wrong, save it as "CSV UTF-8".',
  );
  return new TextDecoder('windows-1252');
}

function decodePiece(
  decoder: TextDecoder | null,
  bytes: Buffer,
  options: { readonly stream?: boolean },
): string {
  if (!decoder) return bytes.toString('latin1');
  try {
    return decoder.decode(bytes, options);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new DamagedFileError(
      `The file is not valid ${decoder.encoding.toUpperCase()}. Save it as UTF-8 ("CSV UTF-8" in Excel) or convert it, ` +
        'for example `iconv -f WINDOWS-1252 -t UTF-8 old.csv > new.csv`.',
    );
  }
}
