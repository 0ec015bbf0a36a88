import { parentPort } from 'node:worker_threads';
import { enableSourceMaps } from '#platform/threads';
import { type PreparerAnswer, type PreparerTask } from './threaded-preparer.js';
import { prepareChunk } from './prepare-chunk.js';

enableSourceMaps();

/** The thread that parses import chunks: a thousand lines take tens of milliseconds, for which no search should wait. */
parentPort?.on('message', ({ id, bytes, firstLine }: PreparerTask) => {
  const answer = (message: PreparerAnswer, handedOver: ArrayBuffer[] = []): void =>
    parentPort?.postMessage(message, handedOver);
  try {
    const prepared = prepareChunk(Buffer.from(bytes.buffer), firstLine, new Date());
    answer({ id, prepared }, [prepared.rows.buffer]);
  } catch (error) {
    answer({ id, error: error instanceof Error ? error : new Error(String(error)) });
  }
});
