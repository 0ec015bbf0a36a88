import { type DataSource } from 'typeorm';
import { readingFrom } from '../../database/query.js';
import { type ChangedPart, changesPerPart, toPart } from './changed-part.js';
import { readChanges, type Span } from './index-source.js';
import { type IndexedState, type IndexProgress, readIndex } from './read-index.js';
import { type SearchDocument } from './search-document.js';
import { buildSegment } from './segment-builder.js';
import { type SegmentMaker } from './segment-maker.js';
import { type MergePart, mergeSegments } from './segment-merger.js';

/** Does the work of the thread in this one: tests run from sources, which a thread of Node can't load. */
export class InProcessMaker implements SegmentMaker {
  constructor(private readonly dataSource: DataSource) {}

  build(documents: readonly SearchDocument[]): Promise<SharedArrayBuffer> {
    return Promise.resolve(buildSegment(documents));
  }

  merge(parts: readonly MergePart[]): Promise<SharedArrayBuffer> {
    return Promise.resolve(mergeSegments(parts));
  }

  read(progress: IndexProgress): Promise<IndexedState> {
    return readIndex(this.dataSource, progress);
  }

  async readChanges(span: Span, take: (part: ChangedPart) => void): Promise<void> {
    const pages = readChanges(readingFrom(this.dataSource), span, changesPerPart);
    for await (const changes of pages) take(toPart(changes));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
