import { parentPort } from 'node:worker_threads';
import { DataSource } from 'typeorm';
import { catalogIndexOptions } from '../../database/data-source.js';
import { yieldToOthers } from '../../threads/yield-to-others.js';
import { readIndex } from './read-index.js';
import { buildSegment } from './segment-builder.js';
import { mergeSegments } from './segment-merger.js';
import { type WorkerAnswer, type WorkerTask } from './worker-messages.js';

/** The thread that makes segments, so that searches don't wait for it. */
function answer(message: WorkerAnswer): void {
  parentPort?.postMessage(message);
}

async function run(task: WorkerTask): Promise<void> {
  const { id } = task;
  try {
    if (task.kind === 'build') answer({ id, kind: 'made', segment: buildSegment(task.documents) });
    else if (task.kind === 'merge') answer({ id, kind: 'made', segment: mergeSegments(task.parts) });
    else answer({ id, kind: 'read', state: await read(id, task.databaseUrl) });
  } catch (error) {
    answer({ id, kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
  }
}

async function read(id: number, databaseUrl: string) {
  const dataSource = await new DataSource(catalogIndexOptions(databaseUrl)).initialize();
  try {
    return await readIndex(dataSource, {
      segment: (segment) => answer({ id, kind: 'segment', segment }),
    });
  } finally {
    await dataSource.destroy();
  }
}

yieldToOthers();
parentPort?.on('message', (task: WorkerTask) => void run(task));
