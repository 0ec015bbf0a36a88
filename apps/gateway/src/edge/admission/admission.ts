import { counter, gauge, histogram } from '#platform';
import { type Exchange } from '../connections/exchange.js';
import { busy, clientGone } from '../../errors/gateway-errors.js';
import { type AdaptiveConcurrencyLimit } from './adaptive-concurrency-limit.js';
import { OverloadDetector } from './overload-detector.js';
import { Shares } from './shares.js';
import { type Caller, FairQueue } from './fair-queue.js';

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
  readonly caller: Caller;
  readonly since: number;
  readonly enter: (release: Release) => void;
  readonly refuse: (error: Error) => void;
}

interface InWork {
  readonly caller: Caller;
  readonly since: number;
}

const shed = counter('http_requests_shed_total', 'Calls that were refused because too many were waiting.', {
  reason: ['line_full', 'waited_too_long'],
});
const waited = histogram('http_admission_wait_seconds', 'How long calls waited for a slot.', ['outcome']);

const tickMs = 20;
/** Refusing calls this long while none is in progress is a fault of this process. */
const stuckMs = 3_000;

/**
 * Admits calls: at once while fewer than the limit are in progress, else from a queue that serves the accounts round-robin,
 * and the keys of each. A call is refused only when it gets no slot within its wait budget, or when the queue is
 * full; then the newest call of the account with the most waiting calls is refused.
 */
export class Admission {
  private readonly line = new FairQueue<Waiting>();
  private readonly inWork = new Set<InWork>();
  private readonly shares = new Shares();
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
  enter(caller: Caller, exchange: Exchange): Promise<Release> {
    if (this.line.length === 0 && this.mayEnter(caller)) return Promise.resolve(this.admit(caller));
    if (this.line.length >= this.options.waitingMax && !this.makeRoomFor(caller)) {
      this.noteRefusal('line_full');
      return Promise.reject(busy);
    }
    return new Promise((resolve, reject) => this.wait(caller, exchange, resolve, reject));
  }

  /** The problem of this gateway when it refuses every call although none is in progress; else `null`. */
  get problem(): string | null {
    const isIdle = this.inWork.size === 0;
    const isRefusing = this.refusedAt - this.idleSince >= stuckMs && this.now() - this.refusedAt < stuckMs;
    return isIdle && isRefusing ? 'every call is refused although none is in progress' : null;
  }

  private wait(caller: Caller, exchange: Exchange, enter: Waiting['enter'], refuse: Waiting['refuse']): void {
    const waiting = { caller, since: this.now(), enter, refuse };
    this.overload.observe(this.line.oldest?.since);
    this.line.add(waiting);
    this.shares.present(caller, 1);
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
      const waiting = this.line.next((caller) => this.isWithinShare(caller));
      if (!waiting) return;
      this.shares.present(waiting.caller, -1);
      waited.observe({ outcome: 'admitted' }, (this.now() - waiting.since) / 1_000);
      waiting.enter(this.admit(waiting.caller));
    }
  }

  private admit(caller: Caller): Release {
    const slot = { caller, since: this.now() };
    this.inWork.add(slot);
    this.shares.inWork(caller, 1);
    this.shares.present(caller, 1);
    return (isAnswer) => {
      const isSaturated = this.line.length > 0 && this.inWork.size >= this.options.limit.limit;
      if (!this.leave(slot)) return;
      if (isAnswer) this.options.limit.recordAnswer(isSaturated);
      this.fill();
    };
  }

  private leave(slot: InWork): boolean {
    if (!this.inWork.delete(slot)) return false;
    this.shares.inWork(slot.caller, -1);
    this.shares.present(slot.caller, -1);
    if (this.inWork.size === 0) this.idleSince = this.now();
    return true;
  }

  private mayEnter(caller: Caller): boolean {
    return this.inWork.size < this.options.limit.limit && this.isWithinShare(caller);
  }

  private isWithinShare(caller: Caller): boolean {
    return this.shares.leavesRoomFor(caller, this.options.limit.limit);
  }

  private makeRoomFor(caller: Caller): boolean {
    const newest = this.line.newestOfLongest();
    if (!newest) return false;
    const [longest, own] = [newest.caller, caller].map((each) =>
      newest.caller.account === caller.account
        ? this.line.lengthOfKey(each)
        : this.line.lengthOfAccount(each.account),
    );
    if ((longest ?? 0) <= (own ?? 0) + 1) return false;
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
    this.shares.present(waiting.caller, -1);
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
