import {
  buildSegment,
  type ChangedSegment,
  changesPerSegment,
  type IndexedState,
  type MergePart,
  mergeSegments,
  type SearchDocument,
  toChangedSegment,
} from '@app/creator-index';
import { type TransactionRunner } from '@app/platform';
import { readChanges, type Span } from '../source/index-source.js';
import { type IndexProgress, readIndex } from '../source/read-index.js';
import { type IndexBuilder } from './index-builder.js';

/** Does the thread's work in the current thread: tests run from sources, which a Node thread can't load. */
export class InProcessBuilder implements IndexBuilder {
  constructor(private readonly transactions: TransactionRunner) {}

  build(documents: readonly SearchDocument[]): Promise<SharedArrayBuffer> {
    return Promise.resolve(buildSegment(documents));
  }

  merge(parts: readonly MergePart[]): Promise<SharedArrayBuffer> {
    return Promise.resolve(mergeSegments(parts));
  }

  read(progress: IndexProgress): Promise<IndexedState> {
    return readIndex(this.transactions, progress);
  }

  async readChanges(span: Span, take: (part: ChangedSegment) => void): Promise<void> {
    const pages = readChanges(this.transactions.query, span, changesPerSegment);
    for await (const changes of pages) take(toChangedSegment(changes));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
