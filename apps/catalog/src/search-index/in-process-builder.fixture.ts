import {
  type ChangedSegment,
  changesPerSegment,
  type IndexedState,
  inThisThread,
  toChangedSegment,
} from '#creator-index';
import { ThreadDatabase } from '#platform/threads';
import { catalogConnection, catalogIndexConnection } from '../database/connections.js';
import { readChanges, readIndex, type Span, type TakeSegment } from './index-source.js';
import { type IndexBuilder } from './index-builder.js';

/** Does the thread's work in the current thread: tests run from sources, which a Node thread can't load. */
export class InProcessBuilder implements IndexBuilder {
  readonly build = inThisThread.build;
  readonly merge = inThisThread.merge;
  private readonly whole: ThreadDatabase;
  private readonly following: ThreadDatabase;

  constructor(databaseUrl: string) {
    this.whole = new ThreadDatabase(catalogIndexConnection(databaseUrl));
    this.following = new ThreadDatabase(catalogConnection(databaseUrl));
  }

  read(take: TakeSegment): Promise<IndexedState> {
    return readIndex(this.whole, take);
  }

  async readChanges(span: Span, take: (part: ChangedSegment) => void): Promise<void> {
    const pages = readChanges(this.following.query, span, changesPerSegment);
    for await (const changes of pages) take(toChangedSegment(changes));
  }

  async close(): Promise<void> {
    await Promise.all([this.whole.close(), this.following.close()]);
  }
}
