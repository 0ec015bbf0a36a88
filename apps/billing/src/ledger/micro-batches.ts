import { ServiceError } from '@app/contracts';
import { sizes } from '@app/platform';

const batchSize = sizes('ledger_batch_size', 'Charges and settlements that were applied in one transaction.');

/** What became of one item: its result, or the error that its submitter gets. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

interface MicroBatchesOptions<Item, Result> {
  /** Batches that may be under way at once. */
  readonly lanes: number;
  /** Items in one batch. */
  readonly sizeMax: number;
  /** An item that waited longer is refused as `unavailable`: its submitter has given up, or is about to. */
  readonly waitMaxMs: number;
  /** Items with the same number share a lane and are applied in the order of their arrival. */
  readonly laneOf: (item: Item) => number;
  /** Items that nobody waits for: they wait for others, to be applied together with them, for `patienceMs` at most. */
  readonly isPatient: (item: Item) => boolean;
  readonly patienceMs: number;
  /** Applies a batch and gives one outcome per item, in their order. An error that it raises is the error of all. */
  readonly apply: (items: Item[]) => Promise<Outcome<Result>[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly submittedAt: number;
  readonly settle: (outcome: Outcome<Result>) => void;
}

/**
 * Applies items in batches of whatever is waiting: an idle lane starts at once with what arrived in this turn of the event
 * loop, a busy one collects. So a lonely item waits for nothing, unless it is a patient one.
 */
export class MicroBatches<Item, Result> {
  private readonly queues: Waiting<Item, Result>[][];
  private readonly running: boolean[];
  private readonly timers: (NodeJS.Timeout | undefined)[];

  constructor(private readonly options: MicroBatchesOptions<Item, Result>) {
    this.queues = Array.from({ length: options.lanes }, () => []);
    this.running = Array.from({ length: options.lanes }, () => false);
    this.timers = Array.from({ length: options.lanes }, () => undefined);
  }

  submit(item: Item): Promise<Result> {
    const lane = this.options.laneOf(item) % this.options.lanes;
    return new Promise<Result>((resolve, reject) => {
      this.queues[lane]?.push({
        item,
        submittedAt: performance.now(),
        settle: (outcome) => {
          if ('result' in outcome) resolve(outcome.result);
          else reject(asError(outcome.error));
        },
      });
      if (!this.running[lane]) this.startLane(lane);
    });
  }

  private startLane(lane: number): void {
    if (this.isUrgent(lane)) void this.runLane(lane);
    else this.timers[lane] ??= setTimeout(() => void this.runLane(lane), this.options.patienceMs);
  }

  private async runLane(lane: number): Promise<void> {
    clearTimeout(this.timers[lane]);
    this.timers[lane] = undefined;
    this.running[lane] = true;
    await new Promise<void>((resolve) => setImmediate(resolve));
    const queue = this.queues[lane] ?? [];
    do await this.runBatch(queue.splice(0, this.options.sizeMax));
    while (this.isUrgent(lane));
    this.running[lane] = false;
    if (queue.length > 0) this.startLane(lane);
  }

  private isUrgent(lane: number): boolean {
    const queue = this.queues[lane] ?? [];
    return queue.length >= this.options.sizeMax || queue.some(({ item }) => !this.options.isPatient(item));
  }

  private async runBatch(taken: Waiting<Item, Result>[]): Promise<void> {
    const oldest = performance.now() - this.options.waitMaxMs;
    const batch = taken.filter((waiting) => waiting.submittedAt >= oldest);
    for (const waiting of taken) if (waiting.submittedAt < oldest) waiting.settle({ error: waitedTooLong() });
    if (batch.length === 0) return;
    batchSize.observe(batch.length);
    const outcomes = await this.outcomesOf(batch);
    batch.forEach((waiting, index) => {
      waiting.settle(outcomes[index] ?? { error: new Error('the batch gave no outcome for an item') });
    });
  }

  private async outcomesOf(batch: Waiting<Item, Result>[]): Promise<Outcome<Result>[]> {
    try {
      return await this.options.apply(batch.map(({ item }) => item));
    } catch (error) {
      return batch.map(() => ({ error }));
    }
  }
}

function waitedTooLong(): ServiceError {
  return new ServiceError('unavailable', 'The ledger is busy; try again shortly.');
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
