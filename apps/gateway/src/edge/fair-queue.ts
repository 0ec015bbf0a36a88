import { busy } from '#http';
import { counter, gauge, histogram } from '#platform';
import { clientGone } from '../errors/gateway-errors.js';
import { type Exchange } from './connections/exchange.js';

/** Whose call it is. Two accounts never have the same key. */
export interface Caller {
  readonly account: string;
  readonly key: string;
}

/** The account of all callers whose key or session is not known; each of their networks is a key of it. */
export const strangers = 'strangers';

export interface FairQueueOptions {
  /** Calls in progress. */
  readonly inWorkMax: number;
  /** The part of them that strangers may have. */
  readonly strangersMax: number;
  /** Calls that may wait at once. */
  readonly waitingMax: number;
  /** Longest wait for a slot, ms. */
  readonly waitMaxMs: number;
  /** Longest time a call may hold a slot, ms. */
  readonly workMaxMs: number;
}

/** Frees the slot of a call, once; further calls do nothing. */
export type Release = () => void;

interface Waiting {
  readonly caller: Caller;
  /** Monotonic, ms. */
  readonly since: number;
  readonly enter: (release: Release) => void;
  readonly refuse: (error: Error) => void;
  timer?: NodeJS.Timeout;
}

type Keys = Map<string, Set<Waiting>>;

const shed = counter('http_requests_shed_total', 'Calls that were refused because too many were waiting.', {
  reason: ['line_full', 'waited_too_long'],
});
const waited = histogram('http_admission_wait_seconds', 'How long calls waited for a slot.', ['outcome']);

/**
 * Bounds the calls in progress. The others wait: the accounts take turns, and in the turns of an account its keys, so that each
 * call waits behind one call of every other account, and more keys are not more turns. All strangers together are one account.
 * A call is refused when it gets no slot in time, or when too many wait; then the newest call of the busiest key of the
 * account with the most waiting calls is refused.
 */
export class FairQueue {
  /** Accounts and in each its keys, in the order of their turns; no map and no set is empty. */
  private readonly accounts = new Map<string, Keys>();
  private waiting = 0;
  private inWork = 0;
  private strangersInWork = 0;

  constructor(private readonly options: FairQueueOptions) {
    gauge('http_calls_in_work', 'Calls in progress.', () => this.inWork);
    gauge('http_calls_waiting', 'Calls that wait for a slot.', () => this.waiting);
  }

  /** Resolves when the call may begin; throws `busy` when it is refused. A client that disconnects leaves the queue. */
  enter(caller: Caller, exchange: Exchange): Promise<Release> {
    if (this.hasSlotFor(caller.account)) return Promise.resolve(this.begin(caller));
    if (this.waiting >= this.options.waitingMax && !this.makeRoomFor(caller)) {
      shed.inc({ reason: 'line_full' });
      return Promise.reject(busy);
    }
    return new Promise((enter, refuse) => {
      const waiting: Waiting = { caller, since: performance.now(), enter, refuse };
      this.add(waiting);
      waiting.timer = setTimeout(
        () => this.refuse(waiting, 'waited_too_long'),
        this.options.waitMaxMs,
      ).unref();
      exchange.onEnd(() => {
        if (this.remove(waiting)) refuse(clientGone);
      });
    });
  }

  private hasSlotFor(account: string): boolean {
    const { inWorkMax, strangersMax } = this.options;
    return this.inWork < inWorkMax && (account !== strangers || this.strangersInWork < strangersMax);
  }

  private begin({ account }: Caller): Release {
    this.count(account, 1);
    let isOver = false;
    const release = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(lost);
      this.count(account, -1);
      this.fill();
    };
    // Frees the slot of a call that never ended because of some bug: no state here may be permanent.
    const lost = setTimeout(release, this.options.workMaxMs).unref();
    return release;
  }

  private count(account: string, change: 1 | -1): void {
    this.inWork += change;
    if (account === strangers) this.strangersInWork += change;
  }

  /** Gives free slots to the next calls. */
  private fill(): void {
    while (this.inWork < this.options.inWorkMax) {
      const next = this.next();
      if (!next) return;
      waited.observe({ outcome: 'admitted' }, (performance.now() - next.since) / 1_000);
      next.enter(this.begin(next.caller));
    }
  }

  /** Takes the next call out; the next turns of its account and its key come after all others'. */
  private next(): Waiting | undefined {
    for (const [account, keys] of this.accounts) {
      if (!this.hasSlotFor(account)) continue;
      for (const [key, calls] of keys) {
        for (const call of calls) {
          this.remove(call);
          if (keys.delete(key) && calls.size > 0) keys.set(key, calls);
          if (this.accounts.delete(account)) this.accounts.set(account, keys);
          return call;
        }
      }
    }
    return undefined;
  }

  private add(waiting: Waiting): void {
    const { account, key } = waiting.caller;
    const keys = this.accounts.get(account) ?? new Map<string, Set<Waiting>>();
    this.accounts.set(account, keys.set(key, (keys.get(key) ?? new Set()).add(waiting)));
    this.waiting += 1;
  }

  /** `false` when it no longer waits. */
  private remove(waiting: Waiting): boolean {
    const { account, key } = waiting.caller;
    const keys = this.accounts.get(account);
    const calls = keys?.get(key);
    if (!calls?.delete(waiting)) return false;
    clearTimeout(waiting.timer);
    this.waiting -= 1;
    if (calls.size === 0) keys?.delete(key);
    if (keys?.size === 0) this.accounts.delete(account);
    return true;
  }

  /** `false` when no other caller has more waiting calls than this one. */
  private makeRoomFor({ account, key }: Caller): boolean {
    const [busiest = '', keys] = longest(this.accounts, lengthOf);
    const [, calls] = longest(keys ?? new Map<string, Set<Waiting>>(), ({ size }) => size);
    const newest = [...(calls ?? [])].at(-1);
    const [theirs, own] =
      busiest === account
        ? [calls?.size ?? 0, keys?.get(key)?.size ?? 0]
        : [lengthOf(keys), lengthOf(this.accounts.get(account))];
    if (!newest || theirs <= own + 1) return false;
    this.refuse(newest, 'line_full');
    return true;
  }

  private refuse(waiting: Waiting, reason: 'line_full' | 'waited_too_long'): void {
    if (!this.remove(waiting)) return;
    waited.observe({ outcome: 'refused' }, (performance.now() - waiting.since) / 1_000);
    shed.inc({ reason });
    waiting.refuse(busy);
  }
}

function lengthOf(keys: Keys | undefined): number {
  return [...(keys?.values() ?? [])].reduce((length, { size }) => length + size, 0);
}

function longest<Item>(
  items: ReadonlyMap<string, Item>,
  length: (item: Item) => number,
): [name?: string, item?: Item] {
  let found: [string, Item] | [] = [];
  let most = 0;
  for (const [name, item] of items) {
    if (length(item) <= most) continue;
    most = length(item);
    found = [name, item];
  }
  return found;
}
