import { type ImportReport } from '@app/contracts';
import { stagedRow } from '../creators/creator-row.js';
import { parseChunk } from './parse-chunk.js';

/** A chunk after all work that needs no database. */
export interface PreparedChunk {
  readonly received: number;
  /** Creators to be stored. */
  readonly count: number;
  /** Their rows for the staging table, in a separate buffer that a thread can transfer. */
  readonly rows: Uint8Array<ArrayBuffer>;
  readonly errors: ImportReport['errors'];
}

/** Prepares chunks, on any thread. */
export interface ChunkPreparer {
  prepare(bytes: Buffer, firstLine: number): Promise<PreparedChunk>;
  close(): Promise<void>;
}

const encoder = new TextEncoder();

export function prepareChunk(bytes: Buffer, firstLine: number, now: Date): PreparedChunk {
  const { received, records, errors } = parseChunk(bytes, firstLine, now);
  const rows = records.map(({ line, record }) => stagedRow(record, line));
  return { received, count: rows.length, rows: encoder.encode(rows.join('')), errors };
}
