import {
  buildSegment,
  type ChangedSegment,
  changesPerSegment,
  type IndexedState,
  type MergePart,
  mergeSegments,
  type SearchDocument,
  toChangedSegment,
} from '#creator-index';
import { enableSourceMaps, ThreadDatabase } from '#platform/threads';
import { catalogConnection, catalogIndexConnection } from '../database/connections.js';
import { serveTasks } from '../worker-thread.js';
import { readChanges, readIndex, type Span } from './index-source.js';

type Send<Part> = (part: Part) => void;

/** Kept open as long as the thread lives: during an import it reads changes many times a second. */
let following: ThreadDatabase | null = null;

/** What a thread does that builds segments, so that searches don't wait for it. */
const tasks = {
  build: (documents: readonly SearchDocument[]) => buildSegment(documents),

  merge: (parts: readonly MergePart[]) => mergeSegments(parts),

  async read(databaseUrl: string, send: Send<SharedArrayBuffer>): Promise<IndexedState> {
    const database = new ThreadDatabase(catalogIndexConnection(databaseUrl));
    try {
      return await readIndex(database, send);
    } finally {
      await database.close();
    }
  },

  async readChanges([databaseUrl, span]: readonly [string, Span], send: Send<ChangedSegment>): Promise<void> {
    following ??= new ThreadDatabase(catalogConnection(databaseUrl));
    for await (const changes of readChanges(following.query, span, changesPerSegment)) {
      send(toChangedSegment(changes));
    }
  },
};

export type SegmentTasks = typeof tasks;

enableSourceMaps();
serveTasks(tasks);
