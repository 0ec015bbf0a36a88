import { ServiceError } from '#contracts';
import { sizes, withinSpan } from '#platform';

const batchSize = sizes('ledger_batch_size', 'Charges and settlements applied in one transaction.');

/**
 * The outcome of one item: its result, or the error for its submitter. `deferred`: not decided yet; it is retried in a
 * separate lane with the items of the same owner, so that the others do not wait for it.
 */
export type Outcome<Result> =
  { readonly result: Result } | { readonly error: unknown } | { readonly deferred: true };

interface MicroBatchesOptions<Item, Result> {
  /** Batches that may run at once, besides those of deferred items. */
  readonly lanes: number;
  /** The most lanes for deferred items. */
  readonly slowLanesMax: number;
  /** Items in one batch. */
  readonly sizeMax: number;
  /** An item that waited longer is refused as `unavailable`: its submitter has timed out, or is about to. */
  readonly waitMaxMs: number;
  /** Items with the same number share a lane and are applied in the order of their arrival. */
  readonly laneOf: (item: Item) => number;
  /** Items with the same owner are deferred together; they also share a lane before that. */
  readonly ownerOf: (item: Item) => string;
  /** Items that no caller waits for: they wait up to `maxBatchDelayMs`, to share a batch with others. */
  readonly canWait: (item: Item) => boolean;
  readonly maxBatchDelayMs: number;
  /** Applies a batch and returns one outcome per item, in order. A thrown error is the error of all items. */
  readonly apply: (items: Item[]) => Promise<Outcome<Result>[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly submittedAt: number;
  /** Runs a function within the trace of the item's submitter. */
  readonly asSubmitter: <Value>(work: () => Value) => Value;
  readonly settle: (outcome: Exclude<Outcome<Result>, { deferred: true }>) => void;
}

/** Items of which one batch runs at a time. */
class Lane<Item, Result> {
  queue: Waiting<Item, Result>[] = [];
  isRunning = false;
  timer: NodeJS.Timeout | undefined;

  /** `owner`: the only owner whose items it takes. */
  constructor(readonly owner?: string) {}
}

/**
 * Applies waiting items in batches: an idle lane starts at once with the items that arrived in this turn of the event loop,
 * a busy one collects more. A single item is applied at once, unless it can wait.
 */
export class MicroBatches<Item, Result> {
  private readonly lanes: Lane<Item, Result>[];
  private readonly slowLanes = new Map<string, Lane<Item, Result>>();

  constructor(private readonly options: MicroBatchesOptions<Item, Result>) {
    this.lanes = Array.from({ length: options.lanes }, () => new Lane<Item, Result>());
  }

  submit(item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const settle: Waiting<Item, Result>['settle'] = (outcome) => {
        if ('result' in outcome) resolve(outcome.result);
        else reject(asError(outcome.error));
      };
      const lane = this.laneFor(item);
      lane.queue.push({ item, submittedAt: performance.now(), asSubmitter: withinSpan(), settle });
      this.startLane(lane);
    });
  }

  private laneFor(item: Item): Lane<Item, Result> {
    const { laneOf, ownerOf } = this.options;
    const lane = this.slowLanes.get(ownerOf(item)) ?? this.lanes[laneOf(item) % this.lanes.length];
    if (!lane) throw new Error('there is no lane');
    return lane;
  }

  private startLane(lane: Lane<Item, Result>): void {
    if (lane.isRunning) return;
    if (this.isUrgent(lane)) void this.runLane(lane);
    else lane.timer ??= setTimeout(() => void this.runLane(lane), this.options.maxBatchDelayMs);
  }

  private async runLane(lane: Lane<Item, Result>): Promise<void> {
    clearTimeout(lane.timer);
    lane.timer = undefined;
    lane.isRunning = true;
    await new Promise<void>((resolve) => setImmediate(resolve));
    do await this.runBatch(lane);
    while (this.isUrgent(lane));
    lane.isRunning = false;
    if (lane.queue.length > 0) this.startLane(lane);
    else if (lane.owner !== undefined) this.slowLanes.delete(lane.owner);
  }

  private isUrgent({ queue }: Lane<Item, Result>): boolean {
    return queue.length >= this.options.sizeMax || queue.some(({ item }) => !this.options.canWait(item));
  }

  private async runBatch(lane: Lane<Item, Result>): Promise<void> {
    const taken = lane.queue.splice(0, this.options.sizeMax);
    const oldest = performance.now() - this.options.waitMaxMs;
    const batch = taken.filter((waiting) => waiting.submittedAt >= oldest);
    for (const waiting of taken) if (waiting.submittedAt < oldest) waiting.settle({ error: waitedTooLong() });
    if (batch.length === 0) return;
    batchSize.observe(batch.length);
    const outcomes = await this.outcomesOf(batch);
    const deferred: Waiting<Item, Result>[] = [];
    batch.forEach((waiting, index) => {
      const outcome = outcomes[index] ?? { error: new Error('the batch returned no outcome for an item') };
      if ('deferred' in outcome) deferred.push(waiting);
      else waiting.settle(outcome);
    });
    if (deferred.length > 0) this.defer(lane, deferred);
  }

  /** In a trace, the statements of a batch belong to its first item with a waiting caller. */
  private async outcomesOf(batch: Waiting<Item, Result>[]): Promise<Outcome<Result>[]> {
    const items = batch.map(({ item }) => item);
    const first = batch.find(({ item }) => !this.options.canWait(item)) ?? batch[0];
    try {
      return await (first?.asSubmitter(() => this.options.apply(items)) ?? []);
    } catch (error) {
      return batch.map(() => ({ error }));
    }
  }

  /**
   * Moves items to a slow lane, together with later items of the same owners. When all slow lanes are taken, they stay in
   * their lane, after the others.
   */
  private defer(from: Lane<Item, Result>, deferred: Waiting<Item, Result>[]): void {
    const ownerOf = ({ item }: Waiting<Item, Result>): string => this.options.ownerOf(item);
    const owners = new Set(deferred.map(ownerOf));
    const later = from.queue.filter((waiting) => owners.has(ownerOf(waiting)));
    from.queue = from.queue.filter((waiting) => !owners.has(ownerOf(waiting)));
    const lanes = new Map([...owners].map((owner) => [owner, this.openSlowLane(owner) ?? from]));
    for (const waiting of [...deferred, ...later]) lanes.get(ownerOf(waiting))?.queue.push(waiting);
    for (const lane of lanes.values()) this.startLane(lane);
  }

  private openSlowLane(owner: string): Lane<Item, Result> | undefined {
    const known = this.slowLanes.get(owner);
    if (known || this.slowLanes.size >= this.options.slowLanesMax) return known;
    const lane = new Lane<Item, Result>(owner);
    this.slowLanes.set(owner, lane);
    return lane;
  }
}

function waitedTooLong(): ServiceError {
  return new ServiceError('unavailable', 'The ledger is busy; try again shortly.');
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
