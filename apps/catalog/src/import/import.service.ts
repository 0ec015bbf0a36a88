import { importErrorsMax, type ImportChunkRequest, type ImportReport, ServiceError } from '@app/contracts';
import { type RemainingMs } from '@app/platform';
import { type DataSource } from 'typeorm';
import { stageCreators, type Stored, storeStaged } from '../creators/creators.repository.js';
import { inTransaction, autocommitQuery, startWriting, type Transaction } from '../database/query.js';
import { BackgroundWork } from '../threads/background-work.js';
import {
  beginImport,
  claimSlugs,
  endTurn,
  findReport,
  forgetImport,
  isDue,
  lockNextSeq,
  type TakenSlug,
} from './imports.repository.js';
import { duplicate } from './parse-chunk.js';
import { type ChunkPreparer, type PreparedChunk } from './prepare-chunk.js';
import { ChunkSequencer } from './chunk-sequencer.js';

/** For chunks whose predecessor another replica stores. */
const turnPollMs = 10;

interface ImportOptions {
  readonly background: BackgroundWork;
  /** Called when a chunk has been committed. */
  readonly onStored: () => void;
  /** A chunk whose turn has not come after this long is given back to its sender. */
  readonly turnWaitMs: number;
  /** What one statement of a chunk may take, and how long it may wait for other writers. */
  readonly statementMs: number;
}

/** The caller of a chunk waits 60 s: for its turn, also behind the merging of segments, and for each of its few statements. */
const patience = { turnWaitMs: 20_000, statementMs: 10_000 };

/** Stores creators, chunk by chunk; each chunk is one transaction and can be sent again without harm (design 6). */
export class ImportService {
  private readonly turns = new ChunkSequencer();
  private readonly options: ImportOptions;

  constructor(
    private readonly dataSource: DataSource,
    private readonly preparer: ChunkPreparer,
    options: Partial<ImportOptions> = {},
  ) {
    this.options = { background: new BackgroundWork(), onStored: () => undefined, ...patience, ...options };
  }

  /**
   * Chunks of one import take turns in their order, on whichever replica: of a slug that occurs twice the first always
   * wins. Throws `unavailable` when an earlier chunk does not arrive in time: sending this one again helps.
   */
  async importChunk(
    chunk: ImportChunkRequest,
    bytes: Buffer,
    remainingMs?: RemainingMs,
  ): Promise<ImportReport> {
    const { background, turnWaitMs } = this.options;
    const prepared = await background.run(() => this.preparer.prepare(bytes, chunk.first_line));
    const query = autocommitQuery(this.dataSource);
    const waitUntil = performance.now() + turnWaitMs;
    if (chunk.seq === 0) await beginImport(query, chunk.import_id);
    while (performance.now() < waitUntil) {
      const turn = this.turns.next(chunk.import_id, turnPollMs);
      // Waiting outside of a transaction holds neither a connection nor a lock.
      if (await isDue(query, chunk.import_id, chunk.seq)) {
        const report = await background.run(() => this.storeInTurn(chunk, prepared, remainingMs));
        this.turns.passed(chunk.import_id);
        if (report) return report;
      }
      await turn;
    }
    throw new ServiceError('unavailable', 'An earlier part of this import is missing; send this part again.');
  }

  /** Forgets the import, or what is left of it; more often than once does no harm. */
  async finish(importId: string): Promise<void> {
    await forgetImport(autocommitQuery(this.dataSource), importId);
  }

  private async storeInTurn(
    chunk: ImportChunkRequest,
    prepared: PreparedChunk,
    remainingMs: RemainingMs | undefined,
  ): Promise<ImportReport | null> {
    const { statementMs, onStored } = this.options;
    const report = await inTransaction(
      this.dataSource,
      (_, transaction) => storeChunk(transaction, chunk, prepared),
      { limits: { statement_timeout: statementMs, lock_timeout: statementMs }, remainingMs },
    );
    onStored();
    return report;
  }
}

/** The report of the chunk, stored now or before; `null` when it is not its turn after all. */
async function storeChunk(
  transaction: Transaction,
  { import_id, seq }: ImportChunkRequest,
  { received, count, rows, errors }: PreparedChunk,
): Promise<ImportReport | null> {
  const { query } = transaction;
  const nextSeq = await lockNextSeq(query, import_id);
  if (nextSeq !== seq) return findReport(query, import_id, seq);

  let taken: TakenSlug[] = [];
  let stored: Stored = { created: 0, updated: 0, unchanged: 0 };
  if (count > 0) {
    await stageCreators(transaction, rows);
    taken = await claimSlugs(query, import_id);
    // From here on the other writers wait.
    stored = await storeStaged(await startWriting(query));
  }
  const duplicates = taken.map(({ line, slug, first_line }) => duplicate(line, slug, first_line));
  const allErrors = [...errors, ...duplicates].sort((a, b) => a.line - b.line);
  const report = {
    received,
    ...stored,
    rejected: allErrors.length,
    errors: allErrors.slice(0, importErrorsMax),
  };
  await endTurn(query, import_id, seq, report);
  return report;
}
