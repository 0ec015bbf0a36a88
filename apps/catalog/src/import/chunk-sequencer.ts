/** Wakes waiting chunks of an import in this process when an earlier one has been stored. */
export class ChunkSequencer {
  private readonly waiting = new Map<string, Set<() => void>>();

  /** Resolves when a chunk of the import has been stored, and after `withinMs` in any case. */
  next(importId: string, withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.waiting.get(importId) ?? new Set();
      this.waiting.set(importId, waiting);
      const wake = (): void => {
        clearTimeout(timer);
        waiting.delete(wake);
        if (waiting.size === 0) this.waiting.delete(importId);
        resolve();
      };
      const timer = setTimeout(wake, withinMs);
      waiting.add(wake);
    });
  }

  passed(importId: string): void {
    for (const wake of [...(this.waiting.get(importId) ?? [])]) wake();
  }
}
