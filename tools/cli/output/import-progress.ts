import { type CliIo } from '../session.js';
import { formatBytes, formatInteger } from './format.js';

const redrawMs = 200;
/** Without a terminal to redraw, a line now and then is enough for a log. */
const logMs = 10_000;
const barWidth = 24;
const newline = 0x0a;

/** Shows the progress of an upload on standard error: a progress bar on a terminal, a line now and then elsewhere. */
export class ImportProgress {
  private readonly startedAt = performance.now();
  private bytes = 0;
  private lines = 0;
  private drawnAt: number;
  private drawn = false;

  constructor(
    private readonly stderr: CliIo['stderr'],
    /** Bytes in all, when known. */
    private readonly size?: number,
  ) {
    this.drawnAt = this.startedAt;
  }

  get elapsedMs(): number {
    return performance.now() - this.startedAt;
  }

  /** Passes the bytes of the file on unchanged and counts them. */
  async *watchFile(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const bytes of source) {
      this.bytes += bytes.length;
      yield bytes;
    }
  }

  /**
   * Passes lines on unchanged and counts them; because of the service's back-pressure, the counts are of what was
   * accepted.
   */
  async *watchLines(source: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
    for await (const bytes of source) {
      this.lines += countLines(bytes);
      this.draw();
      yield bytes;
    }
  }

  /** Leaves the terminal on a new line. */
  stop(): void {
    if (this.drawn && this.stderr.isTTY) this.stderr.write('\r\x1b[K');
  }

  private draw(): void {
    const now = performance.now();
    if (now - this.drawnAt < (this.stderr.isTTY ? redrawMs : logMs)) return;
    this.drawnAt = now;
    this.drawn = true;
    const text = progressText({
      bytes: this.bytes,
      lines: this.lines,
      elapsedMs: now - this.startedAt,
      size: this.size,
    });
    this.stderr.write(this.stderr.isTTY ? `\r\x1b[K${text}` : `${text}\n`);
  }
}

interface ProgressFigures {
  readonly bytes: number;
  readonly lines: number;
  readonly elapsedMs: number;
  readonly size?: number;
}

/** `[######------]  50%  12,000 lines  3.1 MiB of 6.2 MiB  11,400 lines/s`; without a size, no bar. */
export function progressText({ bytes, lines, elapsedMs, size }: ProgressFigures): string {
  const rate = formatInteger(Math.round(lines / (Math.max(elapsedMs, 1) / 1_000)));
  const counts = `${formatInteger(lines)} lines`;
  if (size === undefined || size === 0) return `${counts}  ${formatBytes(bytes)}  ${rate} lines/s`;
  const share = Math.min(1, bytes / size);
  const filled = Math.round(share * barWidth);
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`;
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  return `${bar} ${percent}  ${counts}  ${formatBytes(bytes)} of ${formatBytes(size)}  ${rate} lines/s`;
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let index = bytes.indexOf(newline); index !== -1; index = bytes.indexOf(newline, index + 1)) {
    lines += 1;
  }
  return lines;
}
