import { watch } from 'node:fs';
import { RebuildQueue } from './rebuild-queue.js';

const quietMs = 300;

/** Rebuilds whenever a source file below the directories changes, tests excluded. Returns the function that stops it. */
export function watchDirectories(directories: readonly string[], rebuild: () => Promise<void>): () => void {
  const queue = new RebuildQueue(quietMs, rebuild);
  const watchers = directories.map((directory) =>
    watch(directory, { recursive: true }, (_event, file) => {
      if (file?.endsWith('.ts') && !/(spec|\.fixture)\.ts$/.test(file)) queue.change();
    }),
  );
  return () => {
    queue.stop();
    for (const watcher of watchers) watcher.close();
  };
}
