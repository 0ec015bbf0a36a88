import { type ChunkPreparer, type PreparedChunk, prepareChunk } from './prepare-chunk.js';

/** Does the work of the thread in this one. */
export const inProcessPreparer: ChunkPreparer = {
  prepare: (bytes, firstLine): Promise<PreparedChunk> =>
    Promise.resolve(prepareChunk(bytes, firstLine, new Date())),
  close: () => Promise.resolve(),
};
