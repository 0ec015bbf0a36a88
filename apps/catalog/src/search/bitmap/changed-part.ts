import { type Change } from './index-source.js';
import { buildSegment } from './segment-builder.js';

/** Changes with the segment that shows them: all that the index needs of them. */
export interface ChangedPart {
  /** Every creator that changed, also those that are deleted or hidden now. */
  readonly slugs: readonly string[];
  /** Their documents; `null` without any. */
  readonly segment: SharedArrayBuffer | null;
}

/** So few that the index takes them up in a few milliseconds. */
export const changesPerPart = 1_000;

export function toPart(changes: readonly Change[]): ChangedPart {
  const documents = changes.flatMap(({ document }) => document ?? []);
  return {
    slugs: changes.map(({ slug }) => slug),
    segment: documents.length > 0 ? buildSegment(documents) : null,
  };
}
