import { type ImportReport } from '@app/contracts';
import { stagedRow } from '../creators/creators.repository.js';
import { parseChunk } from './parse-chunk.js';

/** A chunk with everything done that needs no database. */
export interface PreparedChunk {
  readonly received: number;
  /** Creators to be stored. */
  readonly count: number;
  /** Their rows for `staged_creators`: bytes of their own, so that a thread can hand them over. */
  readonly rows: Uint8Array<ArrayBuffer>;
  readonly errors: ImportReport['errors'];
}

/** Prepares chunks, on whichever thread it chooses. */
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
