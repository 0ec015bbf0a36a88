import { type Caller } from './fair-queue.js';

/** While others have calls too, an account holds at most its fair share of the slots, or this share when that is less. */
const shareMin = 0.125;

/**
 * Who has how many calls, in progress or waiting, and which share of the slots that leaves to each: first between accounts,
 * then between the keys of an account.
 */
export class Shares {
  private readonly inWorkByAccount = new Map<string, number>();
  private readonly inWorkByKey = new Map<string, number>();
  /** Calls in progress or waiting: by account, and for each account by key. */
  private readonly presentByAccount = new Map<string, number>();
  private readonly presentByKey = new Map<string, Map<string, number>>();

  /** Another call of the caller is there, or one has gone. */
  present({ account, key }: Caller, change: 1 | -1): void {
    const keys = this.presentByKey.get(account) ?? new Map<string, number>();
    count(keys, key, change);
    if (keys.size > 0) this.presentByKey.set(account, keys);
    else this.presentByKey.delete(account);
    count(this.presentByAccount, account, change);
  }

  /** Another call of the caller is in progress, or one no longer is. */
  inWork({ account, key }: Caller, change: 1 | -1): void {
    count(this.inWorkByAccount, account, change);
    count(this.inWorkByKey, key, change);
  }

  /** Whether one more call in progress is within the caller's share of so many slots. */
  leavesRoomFor({ account, key }: Caller, slots: number): boolean {
    const ofAccount = slots * shareOf(account, this.presentByAccount);
    const ofKey = ofAccount * shareOf(key, this.presentByKey.get(account));
    return (
      (this.inWorkByAccount.get(account) ?? 0) < Math.max(1, ofAccount) &&
      (this.inWorkByKey.get(key) ?? 0) < Math.max(1, ofKey)
    );
  }
}

function shareOf(name: string, present: ReadonlyMap<string, number> | undefined): number {
  const others = (present?.size ?? 0) - (present?.has(name) ? 1 : 0);
  return Math.max(shareMin, 1 / (others + 1));
}

function count(counts: Map<string, number>, name: string, change: number): void {
  const left = (counts.get(name) ?? 0) + change;
  if (left > 0) counts.set(name, left);
  else counts.delete(name);
}
