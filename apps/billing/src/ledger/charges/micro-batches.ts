import { AsyncLocalStorage } from 'node:async_hooks';
import { ServiceError } from '@app/contracts';
import { sizes } from '@app/platform';

const batchSize = sizes('ledger_batch_size', 'Charges and settlements applied in one transaction.');

/**
 * The outcome of one item: its result, or the error for its submitter. `aside`: not decided yet; it is retried in a
 * separate lane with the items of the same owner, so that the others do not wait for it.
 */
export type Outcome<Result> =
  { readonly result: Result } | { readonly error: unknown } | { readonly aside: true };

interface MicroBatchesOptions<Item, Result> {
  /** Batches that may run at once, besides those of `lanesAsideMax` more lanes for items set aside. */
  readonly lanes: number;
  readonly lanesAsideMax: number;
  /** Items in one batch. */
  readonly sizeMax: number;
  /** An item that waited longer is refused as `unavailable`: its submitter has timed out, or is about to. */
  readonly waitMaxMs: number;
  /** Items with the same number share a lane and are applied in the order of their arrival. */
  readonly laneOf: (item: Item) => number;
  /** Items with the same owner are set aside together; they also share a lane before that. */
  readonly ownerOf: (item: Item) => string;
  /** Items that no caller waits for: they wait up to `patienceMs`, to share a batch with others. */
  readonly isPatient: (item: Item) => boolean;
  readonly patienceMs: number;
  /** Applies a batch and returns one outcome per item, in order. A thrown error is the error of all items. */
  readonly apply: (items: Item[]) => Promise<Outcome<Result>[]>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly submittedAt: number;
  /** Runs a function within the trace of the item's submitter. */
  readonly asSubmitter: <Value>(work: () => Value) => Value;
  readonly settle: (outcome: Exclude<Outcome<Result>, { aside: true }>) => void;
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
 * Applies waiting items in batches: an idle lane starts at once with those that arrived in this turn of the event loop,
 * a busy one collects more. A single item is applied at once, unless it is a patient one.
 */
export class MicroBatches<Item, Result> {
  private readonly lanes: Lane<Item, Result>[];
  private readonly lanesAside = new Map<string, Lane<Item, Result>>();

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
      const asSubmitter = AsyncLocalStorage.snapshot();
      lane.queue.push({ item, submittedAt: performance.now(), asSubmitter, settle });
      this.startLane(lane);
    });
  }

  private laneFor(item: Item): Lane<Item, Result> {
    const { laneOf, ownerOf } = this.options;
    const lane = this.lanesAside.get(ownerOf(item)) ?? this.lanes[laneOf(item) % this.lanes.length];
    if (!lane) throw new Error('there is no lane');
    return lane;
  }

  private startLane(lane: Lane<Item, Result>): void {
    if (lane.isRunning) return;
    if (this.isUrgent(lane)) void this.runLane(lane);
    else lane.timer ??= setTimeout(() => void this.runLane(lane), this.options.patienceMs);
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
    else if (lane.owner !== undefined) this.lanesAside.delete(lane.owner);
  }

  private isUrgent({ queue }: Lane<Item, Result>): boolean {
    return queue.length >= this.options.sizeMax || queue.some(({ item }) => !this.options.isPatient(item));
  }

  private async runBatch(lane: Lane<Item, Result>): Promise<void> {
    const taken = lane.queue.splice(0, this.options.sizeMax);
    const oldest = performance.now() - this.options.waitMaxMs;
    const batch = taken.filter((waiting) => waiting.submittedAt >= oldest);
    for (const waiting of taken) if (waiting.submittedAt < oldest) waiting.settle({ error: waitedTooLong() });
    if (batch.length === 0) return;
    batchSize.observe(batch.length);
    const outcomes = await this.outcomesOf(batch);
    const aside: Waiting<Item, Result>[] = [];
    batch.forEach((waiting, index) => {
      const outcome = outcomes[index] ?? { error: new Error('the batch returned no outcome for an item') };
      if ('aside' in outcome) aside.push(waiting);
      else waiting.settle(outcome);
    });
    if (aside.length > 0) this.setAside(lane, aside);
  }

  /** In a trace, the statements of a batch belong to its first item with a waiting caller. */
  private async outcomesOf(batch: Waiting<Item, Result>[]): Promise<Outcome<Result>[]> {
    const items = batch.map(({ item }) => item);
    const first = batch.find(({ item }) => !this.options.isPatient(item)) ?? batch[0];
    try {
      return await (first?.asSubmitter(() => this.options.apply(items)) ?? []);
    } catch (error) {
      return batch.map(() => ({ error }));
    }
  }

  /**
   * Together with later items of the same owners. When all lanes aside are taken, they stay in their lane, behind the
   * others.
   */
  private setAside(from: Lane<Item, Result>, aside: Waiting<Item, Result>[]): void {
    const ownerOf = ({ item }: Waiting<Item, Result>): string => this.options.ownerOf(item);
    const owners = new Set(aside.map(ownerOf));
    const later = from.queue.filter((waiting) => owners.has(ownerOf(waiting)));
    from.queue = from.queue.filter((waiting) => !owners.has(ownerOf(waiting)));
    const lanes = new Map([...owners].map((owner) => [owner, this.openLaneAside(owner) ?? from]));
    for (const waiting of [...aside, ...later]) lanes.get(ownerOf(waiting))?.queue.push(waiting);
    for (const lane of lanes.values()) this.startLane(lane);
  }

  private openLaneAside(owner: string): Lane<Item, Result> | undefined {
    const known = this.lanesAside.get(owner);
    if (known || this.lanesAside.size >= this.options.lanesAsideMax) return known;
    const lane = new Lane<Item, Result>(owner);
    this.lanesAside.set(owner, lane);
    return lane;
  }
}

function waitedTooLong(): ServiceError {
  return new ServiceError('unavailable', 'The ledger is busy; try again shortly.');
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
