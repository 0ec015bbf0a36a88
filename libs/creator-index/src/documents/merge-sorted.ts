import { type SearchPosition } from './search-document.js';

/** Matches in the order of a search; positions count from 0 to below `length`. */
export interface SortedSource<Entry> {
  readonly length: number;
  /** The largest first. */
  value(position: number): number;
  slug(position: number): string;
  entry(position: number): Entry;
}

interface Cursor<Entry> {
  readonly source: SortedSource<Entry>;
  position: number;
  value: number;
  /** Read only when another source has the same value. */
  slug: string | null;
}

export interface Merged<Entry> {
  readonly entries: Entry[];
  /** The position of the last entry; `null` when no source has more. */
  readonly next: SearchPosition | null;
}

/** The first `limit` entries of all sources together. */
export function mergeSorted<Entry>(sources: readonly SortedSource<Entry>[], limit: number): Merged<Entry> {
  const cursors: Cursor<Entry>[] = sources.map((source) => ({
    source,
    position: 0,
    value: source.value(0),
    slug: null,
  }));
  const entries: Entry[] = [];
  let last: SearchPosition | null = null;
  while (entries.length < limit && cursors.length > 0) {
    const index = indexOfFirst(cursors);
    const cursor = cursors[index];
    if (!cursor) break;
    entries.push(cursor.source.entry(cursor.position));
    if (entries.length === limit) last = { value: cursor.value, slug: slugOf(cursor) };
    cursor.position += 1;
    cursor.slug = null;
    if (cursor.position < cursor.source.length) cursor.value = cursor.source.value(cursor.position);
    else cursors.splice(index, 1);
  }
  return { entries, next: cursors.length > 0 ? last : null };
}

function indexOfFirst(cursors: readonly Cursor<unknown>[]): number {
  let [first, index] = [cursors[0], 0];
  for (let at = 1; at < cursors.length; at++) {
    const cursor = cursors[at];
    if (!first || !cursor || !isBefore(cursor, first)) continue;
    first = cursor;
    index = at;
  }
  return index;
}

function isBefore(one: Cursor<unknown>, other: Cursor<unknown>): boolean {
  if (one.value !== other.value) return one.value > other.value;
  return slugOf(one) < slugOf(other);
}

function slugOf(cursor: Cursor<unknown>): string {
  return (cursor.slug ??= cursor.source.slug(cursor.position));
}
