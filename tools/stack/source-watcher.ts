import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join, sep } from 'node:path';

const quietMs = 300;

/** Rebuilds whenever a source file below the directories changes, tests excluded. Returns the function that stops it. */
export function watchDirectories(directories: readonly string[], rebuild: () => Promise<void>): () => void {
  const queue = new RebuildQueue(quietMs, rebuild);
  const watcher = new SourceWatcher(() => queue.change());
  for (const directory of directories) watcher.add(directory);
  return () => {
    queue.stop();
    watcher.close();
  };
}

/**
 * Watches each directory by itself. With `recursive` Node.js 20 on Linux misses a file after an editor has replaced it by
 * renaming another one.
 */
class SourceWatcher {
  private readonly watchers = new Map<string, FSWatcher>();

  constructor(private readonly changed: () => void) {}

  /** Watches a directory and all below it. */
  add(directory: string): void {
    const watcher = watch(directory, (event, file) => {
      if (file === null) return;
      if (isSource(file)) this.changed();
      else if (event === 'rename') this.replace(join(directory, file));
    });
    // Some systems report the removal of a watched directory as an error.
    watcher.on('error', () => this.forget(directory));
    this.watchers.set(directory, watcher);
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (entry.isDirectory()) this.add(join(directory, entry.name));
    }
  }

  close(): void {
    for (const watcher of this.watchers.values()) watcher.close();
  }

  private forget(directory: string): void {
    for (const [watched, watcher] of this.watchers) {
      if (watched !== directory && !watched.startsWith(directory + sep)) continue;
      watcher.close();
      this.watchers.delete(watched);
    }
  }

  /** A directory may have been created or removed there. */
  private replace(path: string): void {
    this.forget(path);
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    try {
      this.add(path);
    } catch (error) {
      // It has been removed again, or a directory in it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    // Its files may have been written before it was watched.
    this.changed();
  }
}

function isSource(file: string): boolean {
  return /\.tsx?$/.test(file) && !/(spec|\.fixture)\.ts$/.test(file);
}

/**
 * Runs one rebuild at a time, after `quietMs` without a change. A change during a rebuild triggers another one, because
 * the rebuild may have read the file before.
 */
class RebuildQueue {
  private timer: NodeJS.Timeout | undefined;
  private running = false;
  private changed = false;

  constructor(
    private readonly quietMs: number,
    /** Never rejects. */
    private readonly rebuild: () => Promise<void>,
  ) {}

  change(): void {
    this.changed = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(), this.quietMs);
  }

  stop(): void {
    this.changed = false;
    clearTimeout(this.timer);
  }

  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    while (this.changed) {
      this.changed = false;
      await this.rebuild();
    }
    this.running = false;
  }
}
