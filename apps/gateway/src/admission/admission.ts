import { counter, gauge, histogram } from '@app/platform';
import { type Exchange } from '../connections/exchange.js';
import { busy, clientGone } from '../errors/refused.error.js';
import { type AdaptiveConcurrencyLimit } from './adaptive-concurrency-limit.js';
import { OverloadDetector } from './overload-detector.js';
import { WaitingLine } from './waiting-line.js';

export interface AdmissionOptions {
  readonly limit: AdaptiveConcurrencyLimit;
  /** Longest wait for a slot, ms. */
  readonly waitMaxMs: number;
  /** Longest wait during a lasting overload, ms. */
  readonly overloadWaitMaxMs: number;
  /** Calls that may wait at once. */
  readonly waitingMax: number;
  /** Longest time a call may hold a slot, ms. */
  readonly workMaxMs: number;
  /** Monotonic, ms. */
  readonly now?: () => number;
}

/** Releases a slot; `isAnswer`: the call was answered, without a fault on our side. */
export type Release = (isAnswer: boolean) => void;

interface Waiting {
  readonly key: string;
  readonly since: number;
  readonly enter: (release: Release) => void;
  readonly refuse: (error: Error) => void;
}

interface InWork {
  readonly key: string;
  readonly since: number;
}

const shed = counter('http_requests_shed_total', 'Calls that were refused because too many were waiting.', [
  'reason',
]);
const waited = histogram('http_admission_wait_seconds', 'How long calls waited for a slot.', ['outcome']);

const tickMs = 20;
/** While other keys have calls too, a key holds at most its fair share of the slots, or this share when that is less. */
const shareMin = 0.125;
/** Refusing calls this long while none is in progress is a fault of this process. */
const stuckMs = 3_000;

/**
 * Admits calls: at once while fewer than the limit are in progress, else from a queue that serves the keys round-robin
 * (design 10). A call is refused only when it gets no slot within its wait budget, or when the queue is full; then the
 * newest call of the key with the most waiting calls is refused.
 */
export class Admission {
  private readonly line = new WaitingLine<Waiting>();
  private readonly inWork = new Set<InWork>();
  private readonly inWorkByKey = new Map<string, number>();
  /** Calls in progress or waiting, by key. */
  private readonly presentByKey = new Map<string, number>();
  private readonly overload: OverloadDetector;
  private readonly now: () => number;
  private timer: NodeJS.Timeout | undefined;
  /** Since when no call has been in progress, if none is. */
  private idleSince: number;
  private refusedAt = -Infinity;

  constructor(private readonly options: AdmissionOptions) {
    this.now = options.now ?? (() => performance.now());
    this.overload = new OverloadDetector(options.waitMaxMs, this.now);
    this.idleSince = this.now();
    gauge('http_calls_in_work', 'Calls in progress.', () => this.inWork.size);
    gauge('http_calls_waiting', 'Calls that wait for a slot.', () => this.line.length);
    gauge('http_calls_in_work_max', 'Current limit on concurrent calls.', () => options.limit.limit);
  }

  /** Resolves when the call is admitted; throws `busy` when it is refused. A client that disconnects leaves the queue. */
  enter(key: string, exchange: Exchange): Promise<Release> {
    if (this.line.length === 0 && this.mayEnter(key)) return Promise.resolve(this.admit(key));
    if (this.line.length >= this.options.waitingMax && !this.makeRoomFor(key)) {
      this.noteRefusal('line_full');
      return Promise.reject(busy);
    }
    return new Promise((resolve, reject) => this.wait(key, exchange, resolve, reject));
  }

  /** The problem of this gateway when it refuses every call although none is in progress; else `null`. */
  get problem(): string | null {
    const isIdle = this.inWork.size === 0;
    const isRefusing = this.refusedAt - this.idleSince >= stuckMs && this.now() - this.refusedAt < stuckMs;
    return isIdle && isRefusing ? 'every call is refused although none is in progress' : null;
  }

  private wait(key: string, exchange: Exchange, enter: Waiting['enter'], refuse: Waiting['refuse']): void {
    const waiting = { key, since: this.now(), enter, refuse };
    this.overload.observe(this.line.oldest?.since);
    this.line.add(waiting);
    count(this.presentByKey, key, 1);
    exchange.onEnd(() => this.giveUp(waiting, clientGone));
    this.timer ??= setInterval(() => this.tick(), tickMs).unref();
    this.fill();
  }

  private tick(): void {
    this.overload.observe(this.line.oldest?.since);
    this.forgetLost();
    this.fill();
    const { waitMaxMs, overloadWaitMaxMs } = this.options;
    const budgetMs = this.overload.isLasting ? overloadWaitMaxMs : waitMaxMs;
    const latest = this.now() - budgetMs;
    for (let { oldest } = this.line; oldest && oldest.since <= latest; { oldest } = this.line) {
      this.refuse(oldest, 'waited_too_long');
    }
    if (this.line.length > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** Admits the next calls until all slots are taken. */
  private fill(): void {
    while (this.inWork.size < this.options.limit.limit) {
      const waiting = this.line.next((key) => this.isWithinShare(key));
      if (!waiting) return;
      count(this.presentByKey, waiting.key, -1);
      waited.observe({ outcome: 'admitted' }, (this.now() - waiting.since) / 1_000);
      waiting.enter(this.admit(waiting.key));
    }
  }

  private admit(key: string): Release {
    const slot = { key, since: this.now() };
    this.inWork.add(slot);
    count(this.inWorkByKey, key, 1);
    count(this.presentByKey, key, 1);
    return (isAnswer) => {
      const isSaturated = this.line.length > 0 && this.inWork.size >= this.options.limit.limit;
      if (!this.leave(slot)) return;
      if (isAnswer) this.options.limit.answered(isSaturated);
      this.fill();
    };
  }

  private leave(slot: InWork): boolean {
    if (!this.inWork.delete(slot)) return false;
    count(this.inWorkByKey, slot.key, -1);
    count(this.presentByKey, slot.key, -1);
    if (this.inWork.size === 0) this.idleSince = this.now();
    return true;
  }

  private mayEnter(key: string): boolean {
    return this.inWork.size < this.options.limit.limit && this.isWithinShare(key);
  }

  private isWithinShare(key: string): boolean {
    const others = this.presentByKey.size - (this.presentByKey.has(key) ? 1 : 0);
    const share = Math.max(shareMin, 1 / (others + 1));
    return (this.inWorkByKey.get(key) ?? 0) < Math.max(1, this.options.limit.limit * share);
  }

  private makeRoomFor(key: string): boolean {
    const newest = this.line.newestOfLongest();
    if (!newest || this.line.lengthOf(newest.key) <= this.line.lengthOf(key) + 1) return false;
    this.refuse(newest, 'line_full');
    return true;
  }

  private refuse(waiting: Waiting, reason: 'line_full' | 'waited_too_long'): void {
    waited.observe({ outcome: 'refused' }, (this.now() - waiting.since) / 1_000);
    this.noteRefusal(reason);
    this.giveUp(waiting, busy);
  }

  private giveUp(waiting: Waiting, error: Error): void {
    if (!this.line.remove(waiting)) return;
    count(this.presentByKey, waiting.key, -1);
    waiting.refuse(error);
  }

  private noteRefusal(reason: 'line_full' | 'waited_too_long'): void {
    shed.inc({ reason });
    this.overload.refused();
    this.refusedAt = this.now();
  }

  /** Frees the slots of calls that never ended because of some bug: no state here may be permanent. */
  private forgetLost(): void {
    const latest = this.now() - this.options.workMaxMs;
    for (const slot of this.inWork) {
      if (slot.since > latest) break;
      this.leave(slot);
    }
  }
}

function count(counts: Map<string, number>, key: string, change: number): void {
  const left = (counts.get(key) ?? 0) + change;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}
