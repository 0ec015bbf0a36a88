import { message, neverResent, type WithBytes } from '../message.js';
import { IdField, IntegerField } from '../validation/fields.js';
import { int4Max } from '../validation/formats.js';

/** Limits of one chunk; a line longer than a chunk is rejected by the gateway with its number. */
export const importChunkLinesMax = 1_000;
export const importChunkBytesMax = 1_048_576;

/** Names one import. */
export class ImportPath {
  /** UUIDv7 made by the gateway for the import. */
  @IdField()
  readonly import_id: string;
}

/** Names a chunk; its `bytes` are whole NDJSON lines. Repeating `(import_id, seq)` returns the stored reply. */
export class ImportChunkRequest extends ImportPath {
  /** 0, 1, 2 ... without a gap. */
  @IntegerField({ min: 0, max: int4Max })
  readonly seq: number;

  /** Number in the file, from 1, of the first line in `bytes`; the others follow without a gap. */
  @IntegerField({ min: 1, max: int4Max })
  readonly first_line: number;
}

export interface ImportLineError {
  readonly line: number;
  readonly error: string;
}

export interface ImportReport {
  readonly received: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** In line order; the first 100. */
  readonly errors: ImportLineError[];
}

export const importErrorsMax = 100;

/** Never resent by the transport: the gateway repeats it by its number, for as long as the import goes on and no longer. */
export const importChunk = message<WithBytes<ImportChunkRequest>, ImportReport>(
  'catalog',
  'import_chunk',
  ImportChunkRequest,
  {
    ...neverResent,
    deadlineMs: 60_000,
  },
);
/** Forgets the staging rows of an import; one that is never finished is swept. May be sent twice: it is over for good. */
export const finishImport = message<ImportPath, { readonly finished: true }>(
  'catalog',
  'finish_import',
  ImportPath,
);
