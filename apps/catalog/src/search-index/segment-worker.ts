import { parentPort } from 'node:worker_threads';
import { buildSegment, changesPerSegment, mergeSegments, toChangedSegment } from '#creator-index';
import { enableSourceMaps, ThreadDatabase } from '#platform/threads';
import { catalogConnection, catalogIndexConnection } from '../database/connections.js';
import { readChanges, readIndex, type Span } from './index-source.js';
import { type WorkerAnswer, type WorkerTask } from './index-builder.js';

/** A thread that builds segments, so that searches don't wait for it. */
function answer(message: WorkerAnswer): void {
  parentPort?.postMessage(message);
}

async function run(task: WorkerTask): Promise<void> {
  const { id } = task;
  try {
    if (task.kind === 'build') answer({ id, kind: 'made', segment: buildSegment(task.documents) });
    else if (task.kind === 'merge') answer({ id, kind: 'made', segment: mergeSegments(task.parts) });
    else if (task.kind === 'read') answer({ id, kind: 'read', state: await read(id, task.databaseUrl) });
    else await readChangesInParts(id, task.databaseUrl, task.span);
  } catch (error) {
    answer({ id, kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
  }
}

async function read(id: number, databaseUrl: string) {
  const database = new ThreadDatabase(catalogIndexConnection(databaseUrl));
  try {
    return await readIndex(database, { segment: (segment) => answer({ id, kind: 'segment', segment }) });
  } finally {
    await database.close();
  }
}

/** Kept open as long as the thread lives: during an import it reads changes many times a second. */
let following: ThreadDatabase | null = null;

async function readChangesInParts(id: number, databaseUrl: string, span: Span): Promise<void> {
  following ??= new ThreadDatabase(catalogConnection(databaseUrl));
  for await (const changes of readChanges(following.query, span, changesPerSegment)) {
    answer({ id, kind: 'changed', part: toChangedSegment(changes) });
  }
  answer({ id, kind: 'changes read' });
}

enableSourceMaps();
parentPort?.on('message', (task: WorkerTask) => void run(task));
