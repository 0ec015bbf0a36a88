import { setTimeout as delay } from 'node:timers/promises';
import {
  compareChunk,
  firstListed,
  importChunk,
  importChunkBytesMax,
  importErrorsMax,
  type ImportReport,
  type ImportOrigin,
  type ImportRules,
  rejectionReason,
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
  /** Waits before a chunk is resent after a transient failure; after the last one the import fails. */
  readonly retryDelaysMs: readonly number[];
}

/** Unacknowledged chunks at a time. */
const inFlightMax = 2;

const lineTooLong = `the line is longer than ${importChunkBytesMax.toLocaleString('en-US')} bytes`;

/**
 * A running import to the catalog. The first failure ends it: `add` and `finish` throw a `ServiceError` that says how
 * many lines are certainly stored.
 */
export class ImportRun {
  /** Lines that the catalog has acknowledged so far, and lines rejected here. */
  report = emptyReport;
  /** First line of each unacknowledged chunk. */
  private readonly waiting = new Map<Promise<void>, number>();
  private readonly stopped = new AbortController();
  private nextSeq = 0;
  private linesSeen = 0;
  private failure: { readonly error: unknown; readonly linesStored: number } | undefined;

  constructor(private readonly options: ImportRunOptions) {}

  /** Sends the next part; resolves when another may be added. */
  async add(part: NdjsonPart): Promise<void> {
    while (this.waiting.size >= inFlightMax) await Promise.race(this.waiting.keys());
    this.throwIfFailed();
    if (part.kind === 'line_too_long') {
      this.report = addReports(this.report, rejectedLine(part.line, lineTooLong));
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
    return this.options.isDryRun ? { dry_run: true, ...this.report } : this.report;
  }

  /** Resolves once no chunk is in flight. */
  async settled(): Promise<void> {
    await Promise.all(this.waiting.keys());
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
        this.report = addReports(this.report, report);
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

/** The report of an import without lines. */
export const emptyReport: ImportReport = {
  ...{ received: 0, created: 0, updated: 0, unchanged: 0, removed: 0, rejected: 0 },
  ...{ errors: [], reasons: [], unknown_names: [], removed_lines: [] },
};

/** The report of a line that was rejected here, without being sent. */
export function rejectedLine(line: number, error: string): ImportReport {
  const reasons = [{ reason: rejectionReason(error), lines: 1 }];
  return { ...emptyReport, received: 1, rejected: 1, errors: [{ line, error }], reasons };
}

/**
 * The report of an import from those of its chunks, which may come back in any order; its errors and removed lines are the first
 * 100 by line.
 */
export function addReports(total: ImportReport, report: ImportReport): ImportReport {
  const names = new Set([...total.unknown_names, ...report.unknown_names]);
  const listed = [...(total.listed ?? []), ...(report.listed ?? [])];
  return {
    received: total.received + report.received,
    created: total.created + report.created,
    updated: total.updated + report.updated,
    unchanged: total.unchanged + report.unchanged,
    removed: total.removed + report.removed,
    rejected: total.rejected + report.rejected,
    errors: firstByLine([...total.errors, ...report.errors]),
    reasons: sumReasons([...total.reasons, ...report.reasons]),
    unknown_names: [...names].slice(0, importErrorsMax),
    removed_lines: firstByLine([...total.removed_lines, ...report.removed_lines]),
    ...((total.listed ?? report.listed) && { listed: firstListed(listed) }),
  };
}

function firstByLine<Line extends { readonly line: number }>(lines: Line[]): Line[] {
  return lines.sort((one, other) => one.line - other.line).slice(0, importErrorsMax);
}
