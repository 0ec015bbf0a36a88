import { type ImportRules } from '#contracts/threads';
import { enableSourceMaps } from '#platform/threads';
import { rowOf } from '../creators/creator-row.js';
import { type CreatorContent } from '../creators/creator.js';
import { serveTasks } from '../worker-thread.js';
import { prepareChunk } from './prepare-chunk.js';

/** A chunk in a separate buffer, the number of its first line, and how its records are read. */
type Chunk = readonly [bytes: Uint8Array<ArrayBuffer>, firstLine: number, rules: ImportRules];

const tasks = {
  prepare: ([{ buffer }, firstLine, rules]: Chunk) =>
    prepareChunk(Buffer.from(buffer), firstLine, new Date(), rules),
  rows: (creators: readonly CreatorContent[]) => creators.map(rowOf),
};

export type PreparerTasks = typeof tasks;

enableSourceMaps();

/** The thread that parses import chunks: a thousand lines take tens of milliseconds, for which no search should wait. */
serveTasks(tasks);
