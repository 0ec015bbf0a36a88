import { importErrorsMax, type ImportChunkRequest, type ImportReport, ServiceError } from '@app/contracts';
import { type RemainingMs, type Transaction, type TransactionRunner } from '@app/platform/database';
import { type CatalogStateRepository } from '../creators/catalog-state.repository.js';
import { type CreatorsRepository, type Stored } from '../creators/creators.repository.js';
import { BackgroundWork } from '../threads/background-work.js';
import { type ImportsRepository, type TakenSlug } from './imports.repository.js';
import { duplicate } from './parse-chunk.js';
import { type ChunkPreparer, type PreparedChunk } from './prepare-chunk.js';
import { ChunkSequencer } from './chunk-sequencer.js';

/** For chunks whose predecessor another replica stores. */
const turnPollMs = 10;

/** The stores of an import. */
export interface ImportStores {
  readonly transactions: TransactionRunner;
  readonly imports: ImportsRepository;
  readonly creators: CreatorsRepository;
  readonly state: CatalogStateRepository;
}

interface ImportOptions {
  readonly background: BackgroundWork;
  /** Called when a chunk has been committed. */
  readonly onStored: () => void;
  /** How long a chunk waits for its turn before it is refused. */
  readonly turnWaitMs: number;
  /** Limits of a chunk's statements, and of its wait for other writers. */
  readonly statementMs: number;
}

/**
 * The caller of a chunk waits 60 s: for its turn, possibly behind a segment merge, and for each of its few statements.
 */
const patience = { turnWaitMs: 20_000, statementMs: 10_000 };

/** Stores creators, chunk by chunk; each chunk is one transaction and can safely be resent (design 6). */
export class ImportService {
  private readonly turns = new ChunkSequencer();
  private readonly options: ImportOptions;

  constructor(
    private readonly stores: ImportStores,
    private readonly preparer: ChunkPreparer,
    options: Partial<ImportOptions> = {},
  ) {
    this.options = { background: new BackgroundWork(), onStored: () => undefined, ...patience, ...options };
  }

  /**
   * Chunks of one import are stored in order, across all replicas: of a slug that occurs twice, the first always wins.
   * Throws `unavailable` when an earlier chunk does not arrive in time; then resend this one.
   */
  async importChunk(
    chunk: ImportChunkRequest,
    bytes: Buffer,
    remainingMs?: RemainingMs,
  ): Promise<ImportReport> {
    const { background, turnWaitMs } = this.options;
    const prepared = await background.run(() => this.preparer.prepare(bytes, chunk.first_line));
    const { imports } = this.stores;
    const waitUntil = performance.now() + turnWaitMs;
    if (chunk.seq === 0) await imports.begin(chunk.import_id);
    while (performance.now() < waitUntil) {
      const turn = this.turns.next(chunk.import_id, turnPollMs);
      // Waiting outside a transaction holds neither a connection nor a lock.
      if (await imports.isDue(chunk.import_id, chunk.seq)) {
        const report = await background.run(() => this.storeInTurn(chunk, prepared, remainingMs));
        this.turns.passed(chunk.import_id);
        if (report) return report;
      }
      await turn;
    }
    throw new ServiceError('unavailable', 'An earlier part of this import is missing; send this part again.');
  }

  /** Deletes the import, or what is left of it; harmless when repeated. */
  async finish(importId: string): Promise<void> {
    await this.stores.imports.forget(importId);
  }

  private async storeInTurn(
    chunk: ImportChunkRequest,
    prepared: PreparedChunk,
    remainingMs: RemainingMs | undefined,
  ): Promise<ImportReport | null> {
    const { statementMs, onStored } = this.options;
    const report = await this.stores.transactions.run(
      (transaction) => this.storeChunk(transaction, chunk, prepared),
      { statementTimeoutMs: statementMs, lockTimeoutMs: statementMs, remainingMs },
    );
    onStored();
    return report;
  }

  /** The report of the chunk, stored now or before; `null` when it is not the chunk's turn yet. */
  private async storeChunk(
    transaction: Transaction,
    { import_id, seq }: ImportChunkRequest,
    { received, count, rows, errors }: PreparedChunk,
  ): Promise<ImportReport | null> {
    const { imports, creators, state } = this.stores;
    const nextSeq = await imports.lockNextSeq(transaction, import_id);
    if (nextSeq !== seq) return imports.findReport(transaction, import_id, seq);

    let taken: TakenSlug[] = [];
    let stored: Stored = { created: 0, updated: 0, unchanged: 0 };
    if (count > 0) {
      await creators.stage(transaction, rows);
      taken = await imports.claimSlugs(transaction, import_id);
      // From here on the other writers wait.
      stored = await creators.storeStaged(await state.startWriting(transaction));
    }
    const duplicates = taken.map(({ line, slug, first_line }) => duplicate(line, slug, first_line));
    const allErrors = [...errors, ...duplicates].sort((a, b) => a.line - b.line);
    const report = {
      received,
      ...stored,
      rejected: allErrors.length,
      errors: allErrors.slice(0, importErrorsMax),
    };
    await imports.endTurn(transaction, import_id, seq, report);
    return report;
  }
}
