import { type Change } from '../documents/change.js';
import { buildSegment } from './build-segment.js';

/** Changes, with a segment of their documents: all that the index needs of them. */
export interface ChangedSegment {
  /** Every changed creator, including those deleted or hidden now. */
  readonly slugs: readonly string[];
  /** Their documents; `null` without any. */
  readonly segment: SharedArrayBuffer | null;
}

/** Few enough that the index takes only a few milliseconds to apply them. */
export const changesPerSegment = 1_000;

export function toChangedSegment(changes: readonly Change[]): ChangedSegment {
  const documents = changes.flatMap(({ document }) => document ?? []);
  return {
    slugs: changes.map(({ slug }) => slug),
    segment: documents.length > 0 ? buildSegment(documents) : null,
  };
}
