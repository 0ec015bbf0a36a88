export interface FairLineOptions {
  /** Work in progress at once. */
  readonly atOnceMax: number;
  /** Of it, that of one key. */
  readonly shareMax: number;
  /** Work that waits. */
  readonly waitingMax: number;
  /** Of it, that of one key. */
  readonly waitingOfKeyMax: number;
  readonly waitMaxMs: number;
}

/** Ends the work, once; further calls do nothing. */
export type EndOfWork = () => void;

interface Waiting {
  readonly key: unknown;
  readonly begin: () => void;
}

/**
 * Bounds work in progress, with a share for each key, and a short line for more. In the line the oldest comes first of those
 * whose key is below its share: a key that has its share keeps no other waiting.
 */
export class FairLine {
  private readonly inWork = new Map<unknown, number>();
  private readonly line = new Set<Waiting>();
  private working = 0;

  constructor(private readonly options: FairLineOptions) {}

  /** Work that waits. */
  get waiting(): number {
    return this.line.size;
  }

  /** Resolves when the work may begin; to `null` when it may not, because the line is full or its time is over. */
  enter(key: unknown): Promise<EndOfWork | null> {
    if (this.mayBegin(key)) return Promise.resolve(this.begin(key));
    if (this.isFullFor(key)) return Promise.resolve(null);
    return new Promise((resolve) => {
      const waiting: Waiting = {
        key,
        begin: () => {
          clearTimeout(timer);
          this.line.delete(waiting);
          resolve(this.begin(key));
        },
      };
      const timer = setTimeout(() => {
        this.line.delete(waiting);
        resolve(null);
      }, this.options.waitMaxMs);
      this.line.add(waiting);
    });
  }

  private mayBegin(key: unknown): boolean {
    return this.working < this.options.atOnceMax && (this.inWork.get(key) ?? 0) < this.options.shareMax;
  }

  private isFullFor(key: unknown): boolean {
    const { waitingMax, waitingOfKeyMax } = this.options;
    if (this.line.size >= waitingMax) return true;
    let ofKey = 0;
    for (const waiting of this.line) if (waiting.key === key) ofKey += 1;
    return ofKey >= waitingOfKeyMax;
  }

  private begin(key: unknown): EndOfWork {
    this.working += 1;
    this.inWork.set(key, (this.inWork.get(key) ?? 0) + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.end(key);
    };
  }

  private end(key: unknown): void {
    this.working -= 1;
    const left = (this.inWork.get(key) ?? 0) - 1;
    if (left > 0) this.inWork.set(key, left);
    else this.inWork.delete(key);
    for (const waiting of this.line) {
      if (this.working >= this.options.atOnceMax) return;
      if (this.mayBegin(waiting.key)) waiting.begin();
    }
  }
}
