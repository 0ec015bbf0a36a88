import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DamagedFileError } from '../errors.js';
import { isGzip } from './file-format.js';

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
  return isGzip(start) ? { isCompressed: true, bytes: gunzip(whole) } : { isCompressed: false, bytes: whole };
}

/** Throws `DamagedFileError` where the data can't be decompressed. */
export async function* gunzip(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
