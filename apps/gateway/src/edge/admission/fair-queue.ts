/** Whose call it is. Two accounts never have the same key. */
export interface Caller {
  readonly account: string;
  readonly key: string;
}

/** A call that waits for a slot. */
export interface WaitingCall {
  readonly caller: Caller;
  /** Monotonic, ms. */
  readonly since: number;
}

/**
 * The queue of waiting calls. The accounts take turns, so that each waits behind one call of every other account, not behind
 * all of them, and however many keys an account has; in its turns the keys of an account take turns. Within a key the oldest
 * call comes first.
 */
export class FairQueue<Call extends WaitingCall> {
  /** Accounts and in each its keys, in the order of their turns; no map and no set is empty. */
  private readonly byAccount = new Map<string, Map<string, Set<Call>>>();
  private readonly byAge = new Set<Call>();

  get length(): number {
    return this.byAge.size;
  }

  /** Number of accounts with waiting calls. */
  get accounts(): number {
    return this.byAccount.size;
  }

  /** The call that has waited longest. */
  get oldest(): Call | undefined {
    return first(this.byAge);
  }

  lengthOfAccount(account: string): number {
    return lengthOf(this.byAccount.get(account));
  }

  lengthOfKey({ account, key }: Caller): number {
    return this.byAccount.get(account)?.get(key)?.size ?? 0;
  }

  /** `call` must not be older than any waiting call. */
  add(call: Call): void {
    const { account, key } = call.caller;
    this.byAge.add(call);
    const keys = this.byAccount.get(account) ?? new Map<string, Set<Call>>();
    this.byAccount.set(account, keys);
    keys.set(key, (keys.get(key) ?? new Set()).add(call));
  }

  /** Removes a call from any position; `false` when it no longer waits. */
  remove(call: Call): boolean {
    if (!this.byAge.delete(call)) return false;
    const { account, key } = call.caller;
    const keys = this.byAccount.get(account);
    const calls = keys?.get(key);
    calls?.delete(call);
    if (calls?.size === 0) keys?.delete(key);
    if (keys?.size === 0) this.byAccount.delete(account);
    return true;
  }

  /**
   * Removes and returns the next call, of the first caller that `mayEnter`; the next turns of its account and of its key come
   * after all others'.
   */
  next(mayEnter: (caller: Caller) => boolean): Call | undefined {
    for (const [account, keys] of this.byAccount) {
      for (const [key, calls] of keys) {
        if (!mayEnter({ account, key })) continue;
        const call = first(calls);
        if (!call) continue;
        this.remove(call);
        if (keys.has(key)) putLast(keys, key, calls);
        if (this.byAccount.has(account)) putLast(this.byAccount, account, keys);
        return call;
      }
    }
    return undefined;
  }

  /** The newest call of the busiest key of the account with the most waiting calls. */
  newestOfLongest(): Call | undefined {
    const keys = longest(this.byAccount.values(), lengthOf);
    const calls = longest(keys?.values() ?? [], ({ size }) => size);
    return calls && [...calls].at(-1);
  }
}

function lengthOf(keys: ReadonlyMap<string, ReadonlySet<unknown>> | undefined): number {
  let length = 0;
  for (const { size } of keys?.values() ?? []) length += size;
  return length;
}

function longest<Item>(items: Iterable<Item>, length: (item: Item) => number): Item | undefined {
  let found: Item | undefined;
  for (const item of items) if (found === undefined || length(item) > length(found)) found = item;
  return found;
}

function putLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

function first<Item>(items: ReadonlySet<Item>): Item | undefined {
  const { value } = items.values().next();
  return value;
}
