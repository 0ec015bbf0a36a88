/** A call that waits for a slot. */
export interface WaitingCall {
  readonly key: string;
  /** Monotonic, ms. */
  readonly since: number;
}

/**
 * The queue of waiting calls. The keys take turns, so that each waits behind one call of every other key, not behind
 * all of them. Within a key the oldest call comes first.
 */
export class WaitingLine<Call extends WaitingCall> {
  /** In the order of the keys' turns; no set is empty. */
  private readonly byKey = new Map<string, Set<Call>>();
  private readonly byAge = new Set<Call>();

  get length(): number {
    return this.byAge.size;
  }

  /** Number of keys with waiting calls. */
  get keys(): number {
    return this.byKey.size;
  }

  /** The call that has waited longest. */
  get oldest(): Call | undefined {
    return first(this.byAge);
  }

  lengthOf(key: string): number {
    return this.byKey.get(key)?.size ?? 0;
  }

  /** `call` must not be older than any waiting call. */
  add(call: Call): void {
    this.byAge.add(call);
    const ofKey = this.byKey.get(call.key);
    if (ofKey) ofKey.add(call);
    else this.byKey.set(call.key, new Set([call]));
  }

  /** Removes a call from any position; `false` when it no longer waits. */
  remove(call: Call): boolean {
    if (!this.byAge.delete(call)) return false;
    const ofKey = this.byKey.get(call.key);
    ofKey?.delete(call);
    if (ofKey?.size === 0) this.byKey.delete(call.key);
    return true;
  }

  /**
   * Removes and returns the next call, of the first key that `mayEnter`; that key's next turn comes after all others'.
   */
  next(mayEnter: (key: string) => boolean): Call | undefined {
    for (const [key, calls] of this.byKey) {
      if (!mayEnter(key)) continue;
      const call = first(calls);
      if (!call) continue;
      this.remove(call);
      if (calls.size > 0) {
        this.byKey.delete(key);
        this.byKey.set(key, calls);
      }
      return call;
    }
    return undefined;
  }

  /** The newest call of the key with the most waiting calls. */
  newestOfLongest(): Call | undefined {
    let longest: Set<Call> | undefined;
    for (const calls of this.byKey.values()) if (calls.size > (longest?.size ?? 0)) longest = calls;
    return longest && [...longest].at(-1);
  }
}

function first<Item>(items: ReadonlySet<Item>): Item | undefined {
  const { value } = items.values().next();
  return value;
}
