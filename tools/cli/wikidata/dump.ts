import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { type Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError } from '../errors.js';
import { gunzip, peek } from '../import/byte-stream.js';
import { isGzip } from '../import/file-format.js';

const newline = 0x0a;
/** The largest items have a few megabytes. */
const lineBytesMax = 64 * 1024 * 1024;
/** Best first: lbzip2 uses all cores. */
const bzip2Programs = ['lbzip2', 'bzip2'];

/** The bytes of a dump as text, whether they are plain, gzip or bzip2, by their first bytes. */
export async function* decompressed(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { start, whole } = await peek(source);
  if (isGzip(start)) yield* gunzip(whole);
  else if (start.toString('latin1', 0, 3) === 'BZh') yield* bunzipped(whole);
  else yield* whole;
}

/** By a program of the system: Node.js has no bzip2, and packages of JavaScript are several times slower. */
async function* bunzipped(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const program = await startBunzip();
  const ended = once(program, 'close');
  const fed = pipeline(source, program.stdin).catch((error: unknown) => error);
  try {
    yield* program.stdout as AsyncIterable<Buffer>;
    const [code] = (await ended) as [number | null];
    if (code !== 0) throw damaged(await fed);
  } finally {
    program.kill();
  }
}

function damaged(error: unknown): CliError {
  const reason = error instanceof Error ? ` (${error.message})` : '';
  return new CliError(`The dump is damaged or incomplete${reason}: download it again.`);
}

async function startBunzip(): Promise<ChildProcessByStdio<Writable, Readable, null>> {
  for (const name of bzip2Programs) {
    const program = spawn(name, ['-dc'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const started = await once(program, 'spawn').then(
      () => true,
      () => false,
    );
    if (started) return program;
  }
  throw new CliError(
    'The dump is compressed with bzip2: install lbzip2 (faster) or bzip2, or take the .gz dump.',
  );
}

/** Reads the lines of a dump, one item each, and gives those that contain a marker. Holds only a few pieces. */
export class MarkedLines {
  /** Items so far, with and without the marker. */
  items = 0;

  constructor(private readonly marker: Buffer) {}

  async *of(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
    let begun: Buffer[] = [];
    let begunBytes = 0;
    for await (const piece of source) {
      const firstEnd = piece.indexOf(newline) + 1;
      const lastEnd = piece.lastIndexOf(newline) + 1;
      if (lastEnd === 0) {
        begun.push(piece);
        begunBytes += piece.length;
        if (begunBytes > lineBytesMax) {
          throw new CliError('This is not a JSON dump of Wikidata: its lines are too long.');
        }
        continue;
      }
      // Only the line that lies in several pieces is copied.
      yield* this.search(Buffer.concat([...begun, piece.subarray(0, firstEnd)]));
      yield* this.search(piece.subarray(firstEnd, lastEnd));
      begun = [piece.subarray(lastEnd)];
      begunBytes = piece.length - lastEnd;
    }
    yield* this.search(Buffer.concat([...begun, Buffer.from('\n')]));
  }

  /** `lines` are whole, each with its end. */
  private *search(lines: Buffer): Generator<string> {
    this.count(lines);
    for (let at = lines.indexOf(this.marker); at !== -1;) {
      const end = lines.indexOf(newline, at);
      yield lines.toString('utf8', lines.lastIndexOf(newline, at) + 1, end);
      at = lines.indexOf(this.marker, end);
    }
  }

  /** A dump is one JSON array, whose brackets have lines of their own. */
  private count(lines: Buffer): void {
    for (let start = 0; start < lines.length;) {
      const end = lines.indexOf(newline, start);
      if (lines[start] === 0x7b) this.items += 1;
      start = end + 1;
    }
  }
}
