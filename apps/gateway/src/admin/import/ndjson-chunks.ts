/** A part of an NDJSON stream, in the order of its lines. Line numbers count from 1. */
export type NdjsonPart = NdjsonChunk | NdjsonLineTooLong;

/** Whole lines, each with its line end (the last line of the stream may come without one). */
export interface NdjsonChunk {
  readonly kind: 'chunk';
  readonly firstLine: number;
  readonly lines: number;
  readonly bytes: Buffer;
}

/** A line longer than a chunk; its bytes were dropped as they arrived. */
export interface NdjsonLineTooLong {
  readonly kind: 'line_too_long';
  readonly line: number;
}

export interface NdjsonLimits {
  readonly linesMax: number;
  /** Bytes of a chunk, line ends included; also the length of the longest line accepted. */
  readonly bytesMax: number;
}

const newline = 0x0a;

/**
 * Splits a stream of bytes into chunks of whole lines within `limits`. Memory is one chunk, whatever the length of the
 * stream or of a line. Lines pass unchanged: the reader handles blank lines, CRLF and broken UTF-8.
 */
export class NdjsonChunker {
  private readonly buffer: Buffer;
  private used = 0;
  /** Start of the unfinished line in the buffer. */
  private lineStart = 0;
  private firstLine = 1;
  private lines = 0;
  private skipping = false;

  constructor(private readonly limits: NdjsonLimits) {
    this.buffer = Buffer.allocUnsafe(limits.bytesMax);
  }

  /** Adds `bytes` and returns the parts completed by it. */
  *push(bytes: Buffer): Generator<NdjsonPart> {
    let offset = 0;
    while (offset < bytes.length) {
      const index = bytes.indexOf(newline, offset);
      const end = index === -1 ? bytes.length : index + 1;
      yield* this.append(bytes.subarray(offset, end), index !== -1);
      offset = end;
    }
  }

  /** The rest, once the stream has ended. */
  *end(): Generator<NdjsonPart> {
    if (this.used > this.lineStart) yield* this.endLine();
    yield* this.flush();
  }

  private *append(piece: Buffer, endsLine: boolean): Generator<NdjsonPart> {
    if (!this.skipping && !this.fits(piece)) {
      yield* this.flush();
      if (!this.fits(piece)) yield* this.rejectLine();
    }
    if (this.skipping) {
      this.skipping = !endsLine;
      return;
    }
    piece.copy(this.buffer, this.used);
    this.used += piece.length;
    if (endsLine) yield* this.endLine();
  }

  private fits(piece: Buffer): boolean {
    return this.used + piece.length <= this.limits.bytesMax;
  }

  private *endLine(): Generator<NdjsonPart> {
    this.lineStart = this.used;
    this.lines += 1;
    if (this.lines === this.limits.linesMax) yield* this.flush();
  }

  /** Returns the buffered whole lines and moves the unfinished one to the front. */
  private *flush(): Generator<NdjsonPart> {
    if (this.lines === 0) return;
    const bytes = Buffer.from(this.buffer.subarray(0, this.lineStart));
    const chunk: NdjsonChunk = { kind: 'chunk', firstLine: this.firstLine, lines: this.lines, bytes };
    this.buffer.copyWithin(0, this.lineStart, this.used);
    this.used -= this.lineStart;
    this.lineStart = 0;
    this.firstLine += this.lines;
    this.lines = 0;
    yield chunk;
  }

  /** Drops the unfinished line: its start from the buffer now, the rest as it arrives. */
  private *rejectLine(): Generator<NdjsonPart> {
    const line = this.firstLine;
    this.used = 0;
    this.firstLine += 1;
    this.skipping = true;
    yield { kind: 'line_too_long', line };
  }
}

/** The parts of a whole stream; the source is read no faster than the parts are taken. */
export async function* ndjsonParts(
  source: AsyncIterable<Buffer>,
  limits: NdjsonLimits,
): AsyncGenerator<NdjsonPart> {
  const chunker = new NdjsonChunker(limits);
  for await (const bytes of source) yield* chunker.push(bytes);
  yield* chunker.end();
}
