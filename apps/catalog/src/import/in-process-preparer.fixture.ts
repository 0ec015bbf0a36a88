import { type ChunkPreparer, type PreparedChunk, prepareChunk } from './prepare-chunk.js';

/** Does the thread's work in the current thread. */
export const inProcessPreparer: ChunkPreparer = {
  prepare: (bytes, firstLine): Promise<PreparedChunk> =>
    Promise.resolve(prepareChunk(bytes, firstLine, new Date())),
  close: () => Promise.resolve(),
};
