import { setTimeout as delay } from 'node:timers/promises';
import { importErrorsMax, type ImportChunkRequest, type ImportReport, ServiceError } from '@app/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { storeCreators } from '../creators/creators.repository.js';
import { inTransaction, type Query, readingFrom, startWriting } from '../database/query.js';
import { claimSlugs, endTurn, forgetImport, takeTurn } from './imports.repository.js';
import { duplicate, type ParsedChunk, parseChunk } from './parse-chunk.js';

const turnPollMs = 20;
const turnWaitMsMax = 10_000;

/** Stores creators, chunk by chunk; each chunk is one transaction and can be sent again without harm (design 6). */
@Injectable()
export class ImportService {
  constructor(private readonly dataSource: DataSource) {}

  /** Raises `unavailable` when the chunk before this one does not arrive in time: sending it again helps. */
  async importChunk(chunk: ImportChunkRequest, bytes: Buffer): Promise<ImportReport> {
    const parsed = parseChunk(bytes, chunk.first_line, new Date());
    const waitUntil = performance.now() + turnWaitMsMax;
    for (;;) {
      const report = await inTransaction(this.dataSource, (query) => storeInTurn(query, chunk, parsed));
      if (report) return report;
      if (performance.now() > waitUntil) {
        throw new ServiceError('unavailable', 'An earlier part of this import is missing; send it again.');
      }
      await delay(turnPollMs);
    }
  }

  async finish(importId: string): Promise<void> {
    await forgetImport(readingFrom(this.dataSource), importId);
  }
}

/** The report of the chunk, stored now or before; `null` while an earlier chunk is to come. */
async function storeInTurn(
  query: Query,
  { import_id, seq }: ImportChunkRequest,
  parsed: ParsedChunk,
): Promise<ImportReport | null> {
  const turn = await takeTurn(query, import_id, seq);
  if (turn.is === 'stored') return turn.report;
  if (turn.is === 'earlier') return null;

  const taken = await claimSlugs(query, import_id, parsed.records);
  const records = parsed.records.filter(({ record }) => !taken.has(record.slug));
  const duplicates = parsed.records.flatMap(({ line, record: { slug } }) => {
    const first = taken.get(slug);
    return first === undefined ? [] : [duplicate(line, slug, first)];
  });
  const stored =
    records.length === 0
      ? { created: 0, updated: 0, unchanged: 0 }
      : await storeCreators(
          await startWriting(query),
          records.map(({ record }) => record),
        );
  const errors = [...parsed.errors, ...duplicates].sort((a, b) => a.line - b.line);
  const report = {
    received: parsed.received,
    ...stored,
    rejected: errors.length,
    errors: errors.slice(0, importErrorsMax),
  };
  await endTurn(query, import_id, seq, report);
  return report;
}
