import { Shutdown } from '#http';
import { LOGGER, type Logger } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import {
  finishImport,
  importChunkBytesMax,
  importChunkLinesMax,
  type ImportQuery,
  type ImportReport,
  ServiceError,
} from '#contracts';
import { ServiceClient, type RequestContext } from '#transport';
import { v7 as uuidv7 } from 'uuid';
import { ImportRun } from './import-run.js';
import { ndjsonParts } from './ndjson-chunks.js';
import { refuseOtherFormats } from './ndjson-body.js';

const limits = { linesMax: importChunkLinesMax, bytesMax: importChunkBytesMax };

/** Injects the waits before a chunk is resent, ms. */
export const IMPORT_RETRY_DELAYS_MS = Symbol('IMPORT_RETRY_DELAYS_MS');
/** About 8 s in all. */
export const importRetryDelaysMs = [250, 500, 1_000, 2_000, 4_000];

/** Sends an import to the catalog chunk by chunk, holding a few chunks in memory whatever its length. */
@Injectable()
export class ImportCreatorsService {
  private readonly running = new Set<ImportRun>();

  constructor(
    private readonly services: ServiceClient,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(IMPORT_RETRY_DELAYS_MS) private readonly retryDelaysMs: readonly number[],
    shutdown: Shutdown,
  ) {
    shutdown.giveUp.addEventListener('abort', () => this.giveUp());
  }

  /**
   * Reads `source` to its end, no faster than the catalog acknowledges. Throws `unavailable` when the catalog can't be
   * reached for seconds, and `invalid_request` when the upload breaks off: what was acknowledged by then is stored. A
   * file that is not NDJSON is `invalid_request` before any of it is sent. A dry run reports the same, and stores nothing.
   */
  async import(
    source: AsyncIterable<Buffer>,
    { dry_run: isDryRun, ...rules }: ImportQuery,
    context: RequestContext,
  ): Promise<ImportReport> {
    const importId = uuidv7();
    const run = new ImportRun({
      importId,
      rules,
      isDryRun,
      services: this.services,
      context,
      retryDelaysMs: this.retryDelaysMs,
    });
    this.running.add(run);
    try {
      const lines = refuseOtherFormats(whole(source));
      for await (const part of ndjsonParts(lines, limits)) await run.add(part);
      const report = await run.finish();
      await this.forget(importId, context);
      return report;
    } catch (error) {
      run.stop(error);
      if (!isDryRun) void run.settled().then(() => this.logEnd(importId, run, error, context));
      throw error;
    } finally {
      this.running.delete(run);
    }
  }

  /** On shutdown, running imports end with a 503 that says how many lines are stored. */
  private giveUp(): void {
    for (const run of this.running) run.stop(new ServiceError('unavailable', 'The gateway is stopping.'));
  }

  /** Logs how much of an interrupted import is stored: its client may be gone and never receive the answer. */
  private logEnd(importId: string, run: ImportRun, error: unknown, { requestId }: RequestContext): void {
    const { received, created, updated, unchanged, removed, rejected } = run.report;
    const counts = { received, created, updated, unchanged, removed, rejected };
    const reason = error instanceof Error ? error.message : String(error);
    this.logger.warn({ import_id: importId, request_id: requestId, reason, ...counts }, 'import interrupted');
  }

  /** Only cleans up early: the catalog also sweeps old staging rows. */
  private async forget(importId: string, context: RequestContext): Promise<void> {
    try {
      await this.services.request(finishImport, { import_id: importId }, context);
    } catch (error) {
      this.logger.warn(
        { err: error, import_id: importId },
        'could not release the staging rows of an import',
      );
    }
  }
}

async function* whole(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* source;
  } catch (error) {
    throw new ServiceError('invalid_request', 'The upload ended before its body was complete.', {
      cause: error,
    });
  }
}
