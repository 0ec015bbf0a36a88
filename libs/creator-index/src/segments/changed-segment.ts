import { type Change } from '../documents/change.js';
import { buildSegment } from './build-segment.js';

/** Changes with the segment that shows them: all that the index needs of them. */
export interface ChangedSegment {
  /** Every creator that changed, also those that are deleted or hidden now. */
  readonly slugs: readonly string[];
  /** Their documents; `null` without any. */
  readonly segment: SharedArrayBuffer | null;
}

/** So few that the index takes them up in a few milliseconds. */
export const changesPerSegment = 1_000;

export function toChangedSegment(changes: readonly Change[]): ChangedSegment {
  const documents = changes.flatMap(({ document }) => document ?? []);
  return {
    slugs: changes.map(({ slug }) => slug),
    segment: documents.length > 0 ? buildSegment(documents) : null,
  };
}
