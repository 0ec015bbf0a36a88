import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  type Change,
  comparePositions,
  positionOf,
  type SearchCriteria,
  type SearchDocument,
  type SearchPosition,
  type SortColumn,
} from '../documents/search-document.js';
import { type Merged, mergeSorted, type SortedSource } from '../documents/merge-sorted.js';
import { RecentDocuments } from '../documents/recent-documents.js';
import { type EntryWriter } from '../documents/search-entry.js';
import { type ChangedSegment } from '../segments/build-segment.js';
import { chooseMerge, deletedShareMax } from '../segments/merge-policy.js';
import {
  bytesNeeded,
  promptGarbageCollection,
  type SegmentInUse,
  slugsDeletedSince,
  type Tombstones,
  useSegment,
} from '../segments/segment-in-use.js';
import { type Segment } from '../segments/segment.js';
import { hashText } from '../segments/slug-table.js';
import { EntryCache } from './entry-cache.js';
import { findAccount, type HasKey, prepareSearch, searchSegment } from './segment-search.js';
import { FilterCounter, type FilterCounts } from './filter-counts.js';
import { type SegmentBuilder } from '../segments/segment-builder.js';

/** A document of a segment in use, to be marked as gone. */
interface Location {
  readonly gone: Tombstones;
  readonly number: number;
}

/**
 * Few enough that scanning them, and handing them to another thread, doesn't delay a search; merged by fours three
 * times, they fill a segment.
 */
const recentMax = 1_000;

/** Few enough that a search waits half a millisecond for them among a million creators. */
const lookedUpAtOnce = 50;

/** More than a segment's documents: keeps the numbers of different segments apart. */
const segmentSpan = 0x1_0000;

/**
 * All published creators: immutable segments, the documents removed from them, and the latest changes. A search sees
 * one consistent state, because everything here runs synchronously, except building segments and locating creators.
 */
export class BitmapIndex {
  private segments: SegmentInUse[];
  private recent = new RecentDocuments();
  /** Being built into segments. */
  private freezing: RecentDocuments[] = [];
  private maintenance: Promise<void> | null = null;
  private failed: Error | null = null;

  private readonly cache = new EntryCache();
  /** Until the next change. */
  private filterCounts: FilterCounts | null = null;

  /** Beyond `roomyBytes` segments keep less of what is gone. */
  constructor(
    private readonly writer: EntryWriter,
    private readonly builder: SegmentBuilder,
    segments: readonly SegmentInUse[],
    private readonly roomyBytes = Infinity,
  ) {
    this.segments = [...segments];
  }

  /** The newest `updated_at`, in ms since 1970, also of a creator hidden since then; `undefined` without any. */
  get newestUpdate(): number | undefined {
    const times = this.segments.map(({ segment }) => segment.times[0] ?? -Infinity);
    for (const recent of this.notInSegments) times.push(...recent.all().map(({ updatedAt }) => updatedAt));
    const newest = Math.max(-Infinity, ...times);
    return Number.isFinite(newest) ? newest : undefined;
  }

  get documents(): number {
    const inSegments = this.segments.reduce((sum, { segment, gone }) => sum + segment.size - gone.count, 0);
    return this.notInSegments.reduce((sum, { size }) => sum + size, inSegments);
  }

  /** Memory of the segments. */
  get bytes(): number {
    return this.segments.reduce((sum, { segment }) => sum + segment.buffer.byteLength, 0);
  }

  /** The part of `bytes` for documents that are not gone. */
  get bytesNeeded(): number {
    return this.segments.reduce((sum, inUse) => sum + bytesNeeded(inUse), 0);
  }

  get segmentsInUse(): readonly SegmentInUse[] {
    return this.segments;
  }

  /** The total, and the page as JSON entries in the order of a search, with the position where the next page begins. */
  search(criteria: SearchCriteria): { total: number } & Merged<Buffer> {
    const prepared = prepareSearch(criteria);
    const { sortColumn } = prepared;
    const { after } = criteria;
    let total = 0;
    const sources: SortedSource<Buffer>[] = [];
    for (const { segment, gone } of this.segments) {
      const matches = searchSegment(segment, gone, prepared);
      total += matches.total;
      if (matches.first.length > 0) sources.push(this.fromSegment(segment, matches.first, sortColumn));
    }
    for (const recent of this.notInSegments) {
      const found = recent.search(criteria);
      total += found.length;
      const page = after
        ? found.filter((document) => comparePositions(positionOf(document, sortColumn), after) > 0)
        : found;
      if (page.length > 0) sources.push(this.fromDocuments(page, sortColumn));
    }
    return { total, ...mergeSorted(sources, criteria.limit) };
  }

  /**
   * The slug of the creator with an account of this key; of several creators, the first one in the order of a search;
   * `null` without one. `hasKey` checks an account: different keys may look the same in the segments.
   */
  findByAccount(key: string, hasKey: HasKey): string | null {
    const hash = hashText(key);
    const found: SearchPosition[] = this.notInSegments.flatMap((recent) =>
      Array.from(recent.withAccount(key), (document) => positionOf(document, null)),
    );
    for (const inUse of this.segments) {
      const first = findAccount(inUse, hash, hasKey);
      if (first !== null) found.push(first);
    }
    const [first] = found.sort(comparePositions);
    return first?.slug ?? null;
  }

  /** The values of the filters that find creators, with their counts; kept until the next change. */
  filters(): FilterCounts {
    if (this.filterCounts) return this.filterCounts;
    const counter = new FilterCounter();
    for (const segment of this.segments) counter.addSegment(segment);
    for (const recent of this.notInSegments) counter.addDocuments(recent);
    return (this.filterCounts = counter.counted());
  }

  /** Changes may be applied repeatedly; the last one of each creator wins. */
  apply(changes: readonly Change[]): void {
    this.filterCounts = null;
    for (const { slug, document } of changes) {
      this.forget(slug);
      if (document) this.recent.put(document);
    }
    if (this.recent.size >= recentMax) this.freeze();
    this.maintain();
  }

  /**
   * Applies changes that are already in a segment. Searches continue while the creators are located in the
   * other segments; nothing else may be applied until it resolves.
   */
  async add({ slugs, segment }: ChangedSegment): Promise<void> {
    const lookedIn = this.segments;
    const found: Location[] = [];
    for (let from = 0; from < slugs.length; from += lookedUpAtOnce) {
      for (const slug of slugs.slice(from, from + lookedUpAtOnce)) found.push(...locationsOf(slug, lookedIn));
      await yieldToEventLoop();
    }
    // Synchronous from here on. Segments may have been built meanwhile: few, and mostly small.
    this.filterCounts = null;
    const newer = this.segments.filter((one) => !lookedIn.includes(one));
    for (const { gone, number } of found) gone.add(number);
    for (const slug of slugs) this.forget(slug, newer);
    if (segment) this.segments = [...this.segments, useSegment(segment)];
    this.maintain();
  }

  /** Resolves when nothing is left to freeze or merge; throws the failure, if any. */
  async maintained(): Promise<void> {
    while (this.maintenance) await this.maintenance;
    if (this.failed) throw this.failed;
  }

  /** Why the latest changes are in no segment, until that is tried again; `null` if nothing failed. */
  get failure(): Error | null {
    return this.failed;
  }

  /** Builds a segment of the latest changes, however few. */
  freeze(): void {
    if (this.recent.size > 0) {
      this.freezing.push(this.recent);
      this.recent = new RecentDocuments();
    }
    // Also when there is nothing new: retries what failed before.
    this.maintain();
  }

  private forget(slug: string, segments = this.segments): void {
    for (const { gone, number } of locationsOf(slug, segments)) gone.add(number);
    for (const recent of this.notInSegments) recent.remove(slug);
  }

  private fromSegment(segment: Segment, numbers: Uint16Array, column: SortColumn): SortedSource<Buffer> {
    const number = (position: number): number => numbers[position] ?? 0;
    return {
      length: numbers.length,
      value: (position) => segment.valueOf(number(position), column),
      slug: (position) => segment.slug(number(position)),
      entry: (position) =>
        this.cache.get(segment.id * segmentSpan + number(position), () =>
          Buffer.from(this.writer.entry(segment.record(number(position)))),
        ),
    };
  }

  private fromDocuments(documents: readonly SearchDocument[], column: SortColumn): SortedSource<Buffer> {
    const positions = documents.map((document) => positionOf(document, column));
    return {
      length: documents.length,
      value: (position) => positions[position]?.value ?? 0,
      slug: (position) => positions[position]?.slug ?? '',
      entry: (position) => Buffer.from(this.writer.entry(documents[position]?.record ?? '')),
    };
  }

  private get notInSegments(): RecentDocuments[] {
    return [this.recent, ...this.freezing];
  }

  private maintain(): void {
    this.maintenance ??= this.runMaintenance().finally(() => {
      this.maintenance = null;
      // Changes may have been frozen just after the last check.
      if (!this.failed && this.freezing.length > 0) this.maintain();
    });
  }

  /** Failures are retried with the next change; until then the changes are searched unmerged. */
  private async runMaintenance(): Promise<void> {
    try {
      while ((await this.freezeOne()) || (await this.mergeOnce())) continue;
      this.failed = null;
    } catch (error) {
      this.failed = new Error('segments could not be built', { cause: error });
    }
  }

  private async freezeOne(): Promise<boolean> {
    const [recent] = this.freezing;
    if (!recent) return false;
    const documents = recent.all();
    if (documents.length > 0) {
      const built = useSegment(await this.builder.build(documents));
      for (const document of documents) {
        if (!recent.has(document)) built.gone.add(built.segment.find(document.slug));
      }
      this.segments = [...this.segments, built];
    }
    this.freezing = this.freezing.filter((other) => other !== recent);
    return true;
  }

  private async mergeOnce(): Promise<boolean> {
    const sizes = this.segments.map((part) => ({
      part,
      documents: part.segment.size,
      gone: part.gone.count,
    }));
    const goneMax = this.bytes > this.roomyBytes ? deletedShareMax.scarce : deletedShareMax.usual;
    const parts = chooseMerge(sizes, goneMax).map(({ part }) => part);
    if (parts.length === 0) return false;
    const before = parts.map(({ gone }) => gone.bitmap.slice());
    const built = useSegment(
      await this.builder.merge(
        parts.map(({ segment }, index) => ({
          buffer: segment.buffer,
          gone: before[index] ?? new Uint32Array(),
        })),
      ),
    );
    parts.forEach((part, index) => {
      for (const slug of slugsDeletedSince(part, before[index] ?? new Uint32Array())) {
        built.gone.add(built.segment.find(slug));
      }
    });
    this.segments = [
      ...this.segments.filter((segment) => !parts.includes(segment)),
      ...(built.segment.size > 0 ? [built] : []),
    ];
    for (const { segment } of parts) promptGarbageCollection(segment.buffer);
    return true;
  }
}

/** The documents of a creator, including those already gone. */
function locationsOf(slug: string, segments: readonly SegmentInUse[]): Location[] {
  const hash = hashText(slug);
  const locations: Location[] = [];
  for (const { segment, gone } of segments) {
    const number = segment.find(slug, hash);
    if (number >= 0) locations.push({ gone, number });
  }
  return locations;
}
