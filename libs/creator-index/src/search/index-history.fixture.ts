import { type Change, type SearchDocument } from '../documents/search-document.js';
import { EntryWriter } from '../documents/search-entry.js';
import { toChangedSegment } from '../segments/build-segment.js';
import { BitmapIndex } from './bitmap-index.js';
import { HeldBuilder } from './held-builder.fixture.js';

export const writer = new EntryWriter('https://site.example');

/** An index, and a map of the published documents with the same changes. */
export class IndexHistory {
  readonly builder = new HeldBuilder();
  readonly index = new BitmapIndex(writer, this.builder, []);
  readonly published = new Map<string, SearchDocument>();

  apply(changes: readonly Change[]): void {
    for (const change of changes) this.record(change);
    this.index.apply(changes);
  }

  /** Applies changes with a segment that another thread has built of them; `meanwhile` runs before it is added. */
  async add(changes: readonly Change[], meanwhile?: () => unknown): Promise<void> {
    for (const change of changes) this.record(change);
    const last = new Map(changes.map((change) => [change.slug, change]));
    const adding = this.index.add(toChangedSegment([...last.values()]));
    await meanwhile?.();
    await adding;
  }

  protected record({ slug, document }: Change): void {
    if (document) this.published.set(slug, document);
    else this.published.delete(slug);
  }
}
