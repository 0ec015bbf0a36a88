import { setTimeout as delay } from 'node:timers/promises';
import {
  compareChunk,
  firstListed,
  importChunk,
  importChunkBytesMax,
  importErrorsMax,
  type ImportLineError,
  type ImportReport,
  type ImportOrigin,
  type ImportRules,
  type ListedLine,
  type ReasonSum,
  rejectionReason,
  type RemovedLine,
  ServiceError,
  sumReasons,
  WithBytes,
} from '#contracts';
import { type RequestContext, type ServiceClient } from '#transport';
import { type NdjsonChunk, type NdjsonPart } from './ndjson-chunks.js';
import { counted } from '../../text/counted.js';

interface ImportRunOptions {
  readonly importId: string;
  readonly rules: ImportRules & ImportOrigin;
  /** Nothing is stored, only reported. */
  readonly isDryRun: boolean;
  readonly services: ServiceClient;
  readonly context: RequestContext;
  /** Unacknowledged chunks at a time. */
  readonly inFlightMax: number;
  /** Waits before a chunk is resent after a transient failure; after the last one the import fails. */
  readonly retryDelaysMs: readonly number[];
}

const lineTooLong = `the line is longer than ${importChunkBytesMax.toLocaleString('en-US')} bytes`;

/**
 * A running import to the catalog. The first failure ends it: `add` and `finish` throw a `ServiceError` that says how
 * many lines are certainly stored.
 */
export class ImportRun {
  private readonly tally = new ImportTally();
  /** First line of each unacknowledged chunk. */
  private readonly waiting = new Map<Promise<void>, number>();
  private readonly stopped = new AbortController();
  private nextSeq = 0;
  private linesSeen = 0;
  private failure: { readonly error: unknown; readonly linesStored: number } | undefined;

  constructor(private readonly options: ImportRunOptions) {}

  /** Sends the next part; resolves when another may be added. */
  async add(part: NdjsonPart): Promise<void> {
    while (this.waiting.size >= this.options.inFlightMax) await Promise.race(this.waiting.keys());
    this.throwIfFailed();
    if (part.kind === 'line_too_long') {
      this.tally.reject(part.line, lineTooLong);
      this.linesSeen = part.line;
    } else {
      this.start(part);
      this.linesSeen = part.firstLine + part.lines - 1;
    }
  }

  /** Waits for the chunks in flight and returns the whole report. */
  async finish(): Promise<ImportReport> {
    await Promise.all(this.waiting.keys());
    this.throwIfFailed();
    return this.options.isDryRun ? { dry_run: true, ...this.tally.report() } : this.tally.report();
  }

  /** Resolves once no chunk is in flight. */
  async settled(): Promise<void> {
    await Promise.all(this.waiting.keys());
  }

  /** Lines that the catalog has acknowledged so far, and lines rejected here. */
  get stored(): ImportReport {
    return this.tally.report();
  }

  /** Ends the import: nothing more is sent, and `add` and `finish` throw `error`. */
  stop(error: unknown): void {
    if (this.failure) return;
    this.failure = { error, linesStored: Math.min(...this.waiting.values(), this.linesSeen + 1) - 1 };
    this.stopped.abort();
  }

  private start(chunk: NdjsonChunk): void {
    const seq = this.nextSeq;
    this.nextSeq += 1;
    const delivery = this.deliver(seq, chunk).then(
      (report) => {
        this.tally.add(report);
        this.waiting.delete(delivery);
      },
      (error: unknown) => {
        this.stop(error);
        this.waiting.delete(delivery);
      },
    );
    this.waiting.set(delivery, chunk.firstLine);
  }

  /** Repeating `(import_id, seq)` is harmless: the catalog returns its stored reply. */
  private async deliver(seq: number, chunk: NdjsonChunk): Promise<ImportReport> {
    const { importId, rules, isDryRun, retryDelaysMs, services, context } = this.options;
    const contract = isDryRun ? compareChunk : importChunk;
    const request = { import_id: importId, seq, first_line: chunk.firstLine, ...rules };
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await services.request(contract, new WithBytes(request, chunk.bytes), context);
      } catch (error) {
        const waitMs = retryDelaysMs[attempt];
        if (!isTransient(error) || waitMs === undefined) throw error;
        await delay(waitMs, undefined, { signal: this.stopped.signal });
      }
    }
  }

  private throwIfFailed(): void {
    if (!this.failure) return;
    const { error, linesStored } = this.failure;
    if (!isTransient(error)) throw error;
    const [problem] = error.details?.database ?? [];
    const details = problem === undefined ? {} : { details: { database: [problem] } };
    const sentence = this.options.isDryRun
      ? 'The dry run stopped early, and nothing is stored. Send the whole file again shortly.'
      : `The import stopped early: the first ${counted(linesStored, 'line is', 'lines are')} stored. ` +
        'Send the whole file again shortly; lines already stored count as unchanged.';
    const because = problem === undefined ? '' : ` Reason: database: ${problem}.`;
    throw new ServiceError('unavailable', sentence + because, { cause: error, ...details });
  }
}

function isTransient(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError && (error.code === 'unavailable' || error.code === 'deadline_exceeded')
  );
}

const counts = ['received', 'created', 'updated', 'unchanged', 'removed', 'rejected'] as const;

/** Adds up the reports of the chunks of one import, which may come back in any order. */
export class ImportTally {
  private readonly totals = { received: 0, created: 0, updated: 0, unchanged: 0, removed: 0, rejected: 0 };
  private errors: ImportLineError[] = [];
  private removedLines: RemovedLine[] = [];
  private reasons: ReasonSum[] = [];
  private unknownNames = new Set<string>();
  private listed: ListedLine[] | undefined;

  add(report: ImportReport): void {
    for (const name of counts) this.totals[name] += report[name];
    this.errors = firstByLine(this.errors, report.errors);
    this.removedLines = firstByLine(this.removedLines, report.removed_lines);
    this.reasons = sumReasons([...this.reasons, ...report.reasons]);
    const names = [...this.unknownNames, ...report.unknown_names];
    this.unknownNames = new Set(names.slice(0, importErrorsMax));
    if (report.listed) this.listed = firstListed([...(this.listed ?? []), ...report.listed]);
  }

  /** Counts a line that was rejected here, without being sent. */
  reject(line: number, error: string): void {
    this.totals.received += 1;
    this.totals.rejected += 1;
    this.errors = firstByLine(this.errors, [{ line, error }]);
    this.reasons = sumReasons([...this.reasons, { reason: rejectionReason(error), lines: 1 }]);
  }

  /** The whole import so far; its errors and removed lines are the first 100 by line. */
  report(): ImportReport {
    return {
      ...this.totals,
      errors: this.errors,
      reasons: this.reasons,
      unknown_names: [...this.unknownNames],
      removed_lines: this.removedLines,
      ...(this.listed ? { listed: this.listed } : {}),
    };
  }
}

function firstByLine<Line extends { readonly line: number }>(known: Line[], more: readonly Line[]): Line[] {
  if (more.length === 0) return known;
  return [...known, ...more].sort((a, b) => a.line - b.line).slice(0, importErrorsMax);
}
