import { setTimeout as sleep } from 'node:timers/promises';
import {
  firstListed,
  type ImportChunkRequest,
  importErrorsMax,
  type ImportReport,
  type ImportRules,
  rejectionReason,
  ServiceError,
  sumReasons,
} from '#contracts';
import { type ChangeContext, type Transaction, TransactionRunner } from '#platform/database';
import { Inject, Injectable } from '@nestjs/common';
import { type CreatorContent } from '../creators/creator.js';
import { changedKey, CreatorWriter, type LinesToStore, type Outcome } from '../creators/creator-writer.js';
import { startWriting } from '../creators/writing.js';
import { removalReason, slugKey } from '../creators/block-list.js';
import { SearchIndex } from '../search/search.module.js';
import { ImportsRepository, type KeyedClaim } from './imports.repository.js';
import { ChunkPreparer } from './chunk-preparer.js';
import { type PreparedChunk } from './prepare-chunk.js';

/** How often a chunk asks whether its predecessor is stored. */
const turnPollMs = 5;

/**
 * The caller of a chunk waits 60 s: for its turn, and for each of its few statements.
 */
const limits = {
  /** How long a chunk waits for its turn before it is refused. */
  turnWaitMs: 20_000,
  /** Longest time for a chunk's statements, and for its wait for other writers. */
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
    private readonly writer: CreatorWriter,
    @Inject(ChunkPreparer) private readonly preparer: Pick<ChunkPreparer, 'prepare' | 'rows'>,
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
    const prepared = await this.preparer.prepare(bytes, chunk.first_line, rulesOf(chunk));
    const waitUntil = performance.now() + this.limits.turnWaitMs;
    if (chunk.seq === 0) await imports.begin(chunk, purpose === 'compare', by.operator?.name ?? null);
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

  /** Ends the import, or deletes a dry run; harmless when repeated. */
  async finish(importId: string): Promise<void> {
    await this.imports.finish(importId);
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
      { statementTimeoutMs: statementMs, lockTimeoutMs: statementMs, byIndexes: true, ...by },
    );
    if (purpose === 'store') this.searches.wake();
    return report;
  }

  /** The report of the chunk, processed now or before; `null` when it is not the chunk's turn yet. */
  private async processChunk(
    transaction: Transaction,
    chunk: ImportChunkRequest,
    { received, lines, errors, unknownNames }: PreparedChunk,
    purpose: ChunkPurpose,
  ): Promise<ImportReport | null> {
    const { imports } = this;
    const { import_id, seq } = chunk;
    const nextSeq = await imports.lockNextSeq(transaction, import_id);
    if (nextSeq !== seq) return imports.findReport(transaction, import_id, seq);

    const by = { import_id, seq, source: chunk.source };
    const given = { lines, rules: rulesOf(chunk), full: this.searches.full, by };
    const outcome =
      lines.length === 0 ? null : await this.processLines(transaction, import_id, given, purpose);
    const { created = 0, updated = 0, unchanged = 0, listed = [] } = outcome ?? {};
    const removed = outcome?.plan.removed ?? [];
    const allErrors = [...errors, ...(outcome?.plan.errors ?? [])].sort((a, b) => a.line - b.line);
    const report = {
      received,
      ...{ created, updated, unchanged },
      removed: removed.length,
      rejected: allErrors.length,
      errors: allErrors.slice(0, importErrorsMax),
      reasons: sumReasons(allErrors.map(({ error }) => ({ reason: rejectionReason(error), lines: 1 }))),
      unknown_names: unknownNames.slice(0, importErrorsMax),
      removed_lines: removed
        .slice(0, importErrorsMax)
        .map(({ line, ...removal }) => ({ line, reason: removalReason(removal) })),
      ...(purpose === 'compare' ? { listed: firstListed(listed) } : {}),
    };
    await imports.endTurn(transaction, import_id, seq, report);
    return report;
  }

  /** To compare claims accounts and changed creators too: the next chunk finds them there, as nothing is stored. */
  private async processLines(
    transaction: Transaction,
    importId: string,
    given: Pick<LinesToStore, 'lines' | 'rules' | 'full' | 'by'>,
    purpose: ChunkPurpose,
  ): Promise<Outcome> {
    const { imports, preparer, writer } = this;
    const isDryRun = purpose === 'compare';
    const find = (keys: readonly string[]) => imports.findClaims(transaction, importId, keys);
    // A record that is merged may follow another one of the same creator, which is stored.
    const isClaiming = isDryRun || given.rules?.mode !== 'merge';
    const lines = {
      ...given,
      ...(isClaiming ? { earlier: { find, isDryRun } } : {}),
      rows: (creators: readonly CreatorContent[]) => preparer.rows(creators),
    };
    if (isDryRun) {
      const outcome = await writer.compare(transaction, lines);
      const accounts = outcome.plan.changedOwners.map(([key, slug]) => ({ key, slug, line: 0 }));
      const creators = outcome.plan.changedCreators(outcome).map((creator) => {
        return { key: changedKey(creator.slug), slug: creator.slug, line: 0, creator };
      });
      await imports.claim(transaction, importId, [...claimsOf(outcome), ...accounts, ...creators]);
      return outcome;
    }
    // From here on the other writers wait.
    const outcome = await writer.store(await startWriting(transaction), lines);
    if (isClaiming) await imports.claim(transaction, importId, claimsOf(outcome));
    const { created, updated } = outcome;
    if (created + updated > 0) {
      // The log has an entry for each chunk that changed something: its creators are too many.
      await transaction.record({
        action: 'creators.imported',
        subject: importId,
        after: { created, updated },
      });
    }
    return outcome;
  }
}

function rulesOf({ mode, move_accounts }: ImportChunkRequest): ImportRules {
  return { mode, move_accounts };
}

function claimsOf({ plan }: Outcome): KeyedClaim[] {
  return [...plan.claimed].map(([slug, line]) => ({ key: slugKey(slug), slug, line }));
}
