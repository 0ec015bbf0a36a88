export interface FairQueueOptions {
  /** Limit of work in progress. */
  readonly atOnceMax: number;
  /** The part of the limit above that one key may use. */
  readonly shareMax: number;
  /** Limit of waiting work. */
  readonly waitingMax: number;
  /** The part of the limit above that one key may use. */
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
 * Bounds work in progress, with a share for each key, and a short queue for more. The oldest work whose key is below its
 * share goes first, so a key that has its share delays no other.
 */
export class FairQueue {
  private readonly inWork = new Map<unknown, number>();
  private readonly queue = new Set<Waiting>();
  private working = 0;

  constructor(private readonly options: FairQueueOptions) {}

  /** Work that waits. */
  get waiting(): number {
    return this.queue.size;
  }

  /** Resolves when the work may begin; to `null` when the queue is full or the wait took too long. */
  enter(key: unknown): Promise<EndOfWork | null> {
    if (this.mayBegin(key)) return Promise.resolve(this.begin(key));
    if (this.isFullFor(key)) return Promise.resolve(null);
    return new Promise((resolve) => {
      const waiting: Waiting = {
        key,
        begin: () => {
          clearTimeout(timer);
          this.queue.delete(waiting);
          resolve(this.begin(key));
        },
      };
      const timer = setTimeout(() => {
        this.queue.delete(waiting);
        resolve(null);
      }, this.options.waitMaxMs);
      this.queue.add(waiting);
    });
  }

  private mayBegin(key: unknown): boolean {
    return this.working < this.options.atOnceMax && (this.inWork.get(key) ?? 0) < this.options.shareMax;
  }

  private isFullFor(key: unknown): boolean {
    const { waitingMax, waitingOfKeyMax } = this.options;
    if (this.queue.size >= waitingMax) return true;
    let ofKey = 0;
    for (const waiting of this.queue) if (waiting.key === key) ofKey += 1;
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
    for (const waiting of this.queue) {
      if (this.working >= this.options.atOnceMax) return;
      if (this.mayBegin(waiting.key)) waiting.begin();
    }
  }
}
