/** Matches in the order of a search; positions count from 0 to below `length`. */
export interface SortedSource {
  readonly length: number;
  updatedAt(position: number): number;
  slug(position: number): string;
  /** The entry of a search result, as JSON. */
  entry(position: number): string;
}

interface Cursor {
  readonly source: SortedSource;
  position: number;
  updatedAt: number;
}

/** The entries of the first `limit` of all sources together. */
export function firstInOrder(sources: readonly SortedSource[], limit: number): string[] {
  let cursors: Cursor[] = sources.map((source) => ({ source, position: 0, updatedAt: source.updatedAt(0) }));
  const entries: string[] = [];
  while (entries.length < limit && cursors.length > 0) {
    const best = cursors.reduce((one, other) => (isBefore(other, one) ? other : one));
    entries.push(best.source.entry(best.position));
    best.position += 1;
    if (best.position < best.source.length) best.updatedAt = best.source.updatedAt(best.position);
    else cursors = cursors.filter((cursor) => cursor !== best);
  }
  return entries;
}

function isBefore(one: Cursor, other: Cursor): boolean {
  if (one.updatedAt !== other.updatedAt) return one.updatedAt > other.updatedAt;
  return one.source.slug(one.position) < other.source.slug(other.position);
}
