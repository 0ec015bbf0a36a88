import { enableSourceMaps } from '#platform/threads';
import { serveTasks } from '../worker-thread.js';
import { type PreparedChunk, prepareChunk } from './prepare-chunk.js';

/** A chunk in a separate buffer, and the number of its first line. */
type Chunk = readonly [bytes: Uint8Array<ArrayBuffer>, firstLine: number];

const tasks = {
  prepare: ([{ buffer }, firstLine]: Chunk) => prepareChunk(Buffer.from(buffer), firstLine, new Date()),
};

export type PreparerTasks = typeof tasks;

enableSourceMaps();

/** The thread that parses import chunks: a thousand lines take tens of milliseconds, for which no search should wait. */
serveTasks(tasks, ({ rows }: PreparedChunk) => [rows.buffer]);
