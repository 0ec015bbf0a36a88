import { setTimeout as sleep } from 'node:timers/promises';
import {
  duplicateSlug,
  type ImportChunkRequest,
  importErrorsMax,
  type ImportReport,
  ServiceError,
} from '#contracts';
import { type ChangeContext, type Transaction, TransactionRunner } from '#platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { CatalogStateRepository, CreatorsRepository, type Stored } from '../creators/creators.repository.js';
import { removalReason } from '../creators/block-list.js';
import { SearchIndex } from '../search/search.module.js';
import { ImportsRepository, type TakenSlug } from './imports.repository.js';
import { ChunkPreparer, type PreparedChunk } from './prepare-chunk.js';

/** How often a chunk asks whether its predecessor is stored. */
const turnPollMs = 5;

/**
 * The caller of a chunk waits 60 s: for its turn, and for each of its few statements.
 */
const limits = {
  /** How long a chunk waits for its turn before it is refused. */
  turnWaitMs: 20_000,
  /** Of a chunk's statements, and of its wait for other writers. */
  statementMs: 10_000,
};

/** Whether a chunk is stored, or only compared with what is stored. */
export type ChunkPurpose = 'store' | 'compare';

/** Stores creators, chunk by chunk; each chunk is one transaction and can safely be resent. */
@Injectable()
export class ImportService {
  readonly limits = { ...limits };

  constructor(
    private readonly transactions: TransactionRunner,
    private readonly imports: ImportsRepository,
    private readonly creators: CreatorsRepository,
    private readonly state: CatalogStateRepository,
    private readonly preparer: ChunkPreparer,
    @Inject(SearchIndex) private readonly searches: Pick<SearchIndex, 'wake' | 'full'>,
  ) {}

  /**
   * Chunks of one import are stored in order, across all replicas: of a slug that occurs twice, the first always wins.
   * Throws `unavailable` when an earlier chunk does not arrive in time; then resend this one. To `compare` takes the same
   * way, so that the report is the same, and writes only the working data of an import.
   */
  async importChunk(
    chunk: ImportChunkRequest,
    bytes: Buffer,
    by: ChangeContext = {},
    purpose: ChunkPurpose = 'store',
  ): Promise<ImportReport> {
    const { imports } = this;
    const prepared = await this.preparer.prepare(bytes, chunk.first_line);
    const waitUntil = performance.now() + this.limits.turnWaitMs;
    if (chunk.seq === 0) await imports.begin(chunk.import_id);
    while (performance.now() < waitUntil) {
      // Waiting outside a transaction holds neither a connection nor a lock.
      if (await imports.isDue(chunk.import_id, chunk.seq)) {
        const report = await this.takeTurn(chunk, prepared, purpose, by);
        if (report) return report;
      }
      await sleep(turnPollMs);
    }
    throw new ServiceError('unavailable', 'An earlier part of this import is missing; send this part again.');
  }

  /** Deletes the import, or the rest of it; harmless when repeated. */
  async finish(importId: string): Promise<void> {
    await this.imports.forget(importId);
  }

  private async takeTurn(
    chunk: ImportChunkRequest,
    prepared: PreparedChunk,
    purpose: ChunkPurpose,
    by: ChangeContext,
  ): Promise<ImportReport | null> {
    const { statementMs } = this.limits;
    const report = await this.transactions.run(
      (transaction) => this.processChunk(transaction, chunk, prepared, purpose),
      { statementTimeoutMs: statementMs, lockTimeoutMs: statementMs, ...by },
    );
    if (purpose === 'store') this.searches.wake();
    return report;
  }

  /** The report of the chunk, processed now or before; `null` when it is not the chunk's turn yet. */
  private async processChunk(
    transaction: Transaction,
    { import_id, seq }: ImportChunkRequest,
    { received, count, rows, errors }: PreparedChunk,
    purpose: ChunkPurpose,
  ): Promise<ImportReport | null> {
    const { imports, creators } = this;
    const nextSeq = await imports.lockNextSeq(transaction, import_id);
    if (nextSeq !== seq) return imports.findReport(transaction, import_id, seq);

    const { full } = this.searches;
    let taken: TakenSlug[] = [];
    let withoutRoom: number[] = [];
    let stored: Stored = { created: 0, updated: 0, unchanged: 0, removed: [] };
    if (count > 0) {
      await creators.stage(transaction, rows);
      taken = await imports.claimSlugs(transaction, import_id);
      if (full !== null) withoutRoom = await creators.takeOutNewlyPublished(transaction);
      stored =
        purpose === 'store'
          ? await this.storeStaged(transaction, import_id)
          : await creators.compareStaged(transaction);
    }
    const { removed, ...counts } = stored;
    const duplicates = taken.map(({ line, slug, first_line }) => ({
      line,
      error: duplicateSlug(slug, first_line),
    }));
    const refused = withoutRoom.map((line) => ({ line, error: `not stored: ${full}` }));
    const allErrors = [...errors, ...duplicates, ...refused].sort((a, b) => a.line - b.line);
    const report = {
      received,
      ...counts,
      removed: removed.length,
      rejected: allErrors.length,
      errors: allErrors.slice(0, importErrorsMax),
      removed_lines: removed
        .slice(0, importErrorsMax)
        .map(({ line, ...removal }) => ({ line, reason: removalReason(removal) })),
    };
    await imports.endTurn(transaction, import_id, seq, report);
    return report;
  }

  /** From here on the other writers wait. The log has an entry for each chunk that changed something: its creators are too many. */
  private async storeStaged(transaction: Transaction, importId: string): Promise<Stored> {
    const writing = await this.state.startWriting(transaction);
    const stored = await this.creators.storeStaged(writing);
    const { created, updated } = stored;
    if (created + updated > 0) {
      const after = { created, updated };
      await transaction.record({ action: 'creators.imported', subject: importId, after });
    }
    return stored;
  }
}
