import { setTimeout as delay } from 'node:timers/promises';
import { importErrorsMax, type ImportChunkRequest, type ImportReport, ServiceError } from '@app/contracts';
import { type DataSource } from 'typeorm';
import { storeCreators, type PreparedCreator, prepareCreator } from '../creators/creators.repository.js';
import { inTransaction, type Query, readingFrom, startWriting } from '../database/query.js';
import {
  beginImport,
  claimSlugs,
  endTurn,
  findReport,
  forgetImport,
  isDue,
  lockNextSeq,
} from './imports.repository.js';
import { duplicate, parseChunk } from './parse-chunk.js';

interface PreparedLine {
  readonly line: number;
  readonly creator: PreparedCreator;
}

/** A chunk with everything done that needs no database. */
interface PreparedChunk {
  readonly received: number;
  readonly lines: readonly PreparedLine[];
  readonly errors: ImportReport['errors'];
}

const turnPollMs = 20;

interface ImportOptions {
  /** A chunk whose turn has not come after this long is given back to its sender. */
  readonly turnWaitMs: number;
  /** What one statement of a chunk may take, and how long it may wait for other writers. */
  readonly statementMs: number;
}

/** The caller of a chunk waits 60 s: for its turn, and for each of its few statements. */
const patience: ImportOptions = { turnWaitMs: 10_000, statementMs: 10_000 };

/** Stores creators, chunk by chunk; each chunk is one transaction and can be sent again without harm (design 6). */
export class ImportService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly options: ImportOptions = patience,
  ) {}

  /**
   * Chunks of one import take turns in their order, on whichever replica: of a slug that occurs twice the first always
   * wins. Raises `unavailable` when an earlier chunk does not arrive in time: sending this one again helps.
   */
  async importChunk(chunk: ImportChunkRequest, bytes: Buffer): Promise<ImportReport> {
    const prepared = prepareChunk(bytes, chunk.first_line);
    const query = readingFrom(this.dataSource);
    const waitUntil = performance.now() + this.options.turnWaitMs;
    await beginImport(query, chunk.import_id);
    while (performance.now() < waitUntil) {
      // Waiting outside of a transaction holds neither a connection nor a lock.
      if (await isDue(query, chunk.import_id, chunk.seq)) {
        const report = await this.storeInTurn(chunk, prepared);
        if (report) return report;
      }
      await delay(turnPollMs);
    }
    throw new ServiceError('unavailable', 'An earlier part of this import is missing; send this part again.');
  }

  /** Forgets the import, or what is left of it; more often than once does no harm. */
  async finish(importId: string): Promise<void> {
    await forgetImport(readingFrom(this.dataSource), importId);
  }

  private storeInTurn(chunk: ImportChunkRequest, prepared: PreparedChunk): Promise<ImportReport | null> {
    const { statementMs } = this.options;
    return inTransaction(this.dataSource, (query) => storeChunk(query, chunk, prepared), {
      statement_timeout: statementMs,
      lock_timeout: statementMs,
    });
  }
}

function prepareChunk(bytes: Buffer, firstLine: number): PreparedChunk {
  const { received, records, errors } = parseChunk(bytes, firstLine, new Date());
  const lines = records.map(({ line, record }) => ({ line, creator: prepareCreator(record) }));
  return { received, lines, errors };
}

/** The report of the chunk, stored now or before; `null` when it is not its turn after all. */
async function storeChunk(
  query: Query,
  { import_id, seq }: ImportChunkRequest,
  { received, lines, errors }: PreparedChunk,
): Promise<ImportReport | null> {
  const nextSeq = await lockNextSeq(query, import_id);
  if (nextSeq !== seq) return findReport(query, import_id, seq);

  const taken = await claimSlugs(
    query,
    import_id,
    lines.map(({ line, creator }) => ({ line, slug: creator.slug })),
  );
  const creators = lines.map(({ creator }) => creator).filter(({ slug }) => !taken.has(slug));
  const stored =
    creators.length === 0
      ? { created: 0, updated: 0, unchanged: 0 }
      : await storeCreators(await startWriting(query), creators);
  const duplicates = lines.flatMap(({ line, creator: { slug } }) => {
    const first = taken.get(slug);
    return first === undefined ? [] : [duplicate(line, slug, first)];
  });
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
