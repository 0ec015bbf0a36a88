import { type ImportLineError, type ImportReport } from '#contracts';
import { type CliIo } from '../session.js';
import { formatCount, formatInteger, formatSeconds } from './format.js';
import { pairs } from './show.js';

const redrawMs = 200;
/** Time between two lines of progress where there is no terminal to redraw. */
const logMs = 10_000;
const newline = 0x0a;

/** Shows the progress of an upload on standard error: redrawn on a terminal, a line now and then elsewhere. */
export class ImportProgress {
  private readonly startedAt = performance.now();
  private drawnAt = this.startedAt;
  private drawn = false;
  private bytes = 0;
  private lines = 0;

  constructor(
    private readonly stderr: CliIo['stderr'],
    /** Bytes in all, when known. */
    private readonly size?: number,
  ) {}

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
      for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) this.lines += 1;
      this.draw();
      yield bytes;
    }
  }

  /** Leaves the terminal on a new line. */
  stop(): void {
    if (this.drawn && this.stderr.isTTY) this.stderr.write('\r\x1b[K');
  }

  /** `50%  12,000 lines  11,400 lines/s`; of a pipe, whose size is unknown, without the percentage. */
  private draw(): void {
    const { bytes, lines, size, elapsedMs, stderr } = this;
    const now = performance.now();
    if (now - this.drawnAt < (stderr.isTTY ? redrawMs : logMs)) return;
    this.drawnAt = now;
    this.drawn = true;
    const percent = size ? `${Math.floor(100 * Math.min(1, bytes / size))}%  ` : '';
    const text = `${percent}${formatCount(lines, 'line')}  ${ratePerSecond(lines, elapsedMs)} lines/s`;
    stderr.write(stderr.isTTY ? `\r\x1b[K${text}` : `${text}\n`);
  }
}

function ratePerSecond(lines: number, elapsedMs: number): string {
  return formatInteger(Math.round(lines / (Math.max(elapsedMs, 1) / 1_000)));
}

/** The counts of the report, and its first errors. */
export function showReport(report: ImportReport, elapsedMs: number): string {
  const { dry_run, received, rejected, errors, removed, removed_lines } = report;
  const counts = (['created', 'updated', 'unchanged', 'rejected'] as const).map(
    (name) => [`  ${dry_run ? 'would be ' : ''}${name}`, formatInteger(report[name])] as const,
  );
  const leftOut = removed > 0 ? [['  left out: removed', formatInteger(removed)] as const] : [];
  const rate = `${formatSeconds(elapsedMs)} (${ratePerSecond(received, elapsedMs)} lines/s)`;
  const leftOutLines = removed_lines.map(({ line, reason }) => ({ line, error: reason }));
  // A service of an older version has none of them.
  const { reasons = [], listed = [], unknown_names = [] }: Partial<ImportReport> = report;
  return [
    `${dry_run ? 'Dry run, nothing is stored: ' : ''}${formatCount(received, 'line')} in ${rate}`,
    `\n${pairs([...counts, ...leftOut])}`,
    showLines('Left out, nothing to correct', leftOutLines, removed),
    showLines('Rejected', errors, rejected),
    showListed(
      'Lines by reason',
      reasons.map(({ reason, lines }) => `${formatInteger(lines)}: ${reason}`),
    ),
    ...(['created', 'updated', 'joined'] as const).map((outcome) => {
      const lines = listed.filter((one) => one.outcome === outcome);
      return showListed(
        `Would be ${outcome}`,
        lines.map(({ line, slug }) => `${slug} (line ${formatInteger(line)})`),
      );
    }),
    showListed('Names of no known country or language, kept as they are', unknown_names),
  ].join('');
}

const linesShownMax = 10;

function showListed(
  title: string,
  found: readonly string[],
  count = found.length,
  more = 'see --json',
): string {
  if (found.length === 0) return '';
  const shown = found.slice(0, linesShownMax).map((text) => `\n  ${text}`);
  const rest = count - shown.length;
  return `\n\n${title}:${shown.join('')}${rest > 0 ? `\n  and ${formatInteger(rest)} more (${more})` : ''}`;
}

function showLines(title: string, found: readonly ImportLineError[], count: number): string {
  const lines = found.map(({ line, error }) => `line ${formatInteger(line)}: ${error}`);
  return showListed(title, lines, count, '--json lists the first 100');
}
