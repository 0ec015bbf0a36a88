import { Inject, Injectable, Optional } from '@nestjs/common';
import { MONOTONIC_CLOCK } from './monotonic-clock.js';
import { RecentMap } from './recent-map.js';

interface Allowance {
  /** What it may still do at once. */
  left: number;
  /** When that was so, on the monotonic clock, ms. */
  at: number;
}

const allowanceMax = 20;
const refillMs = 1_000;
const networksMax = 10_000;

/**
 * What each network may do before it has a key that is known: 20 times at once, and one more time every second. Of
 * unknown keys a few are mistakes, more are a search for one; of large files a few are people, more are a flood. Beyond
 * 10,000 networks the one quiet for longest counts as new again. The keys of a client with that many addresses are then
 * looked up one by one, within the bound on calls in progress; keys of other clients don't wait for them.
 */
@Injectable()
export class TokenBucket {
  private readonly networks = new RecentMap<Allowance>(networksMax);

  constructor(@Optional() @Inject(MONOTONIC_CLOCK) private readonly now = () => performance.now()) {}

  /** Takes one; `false` when none is left. */
  take(network: string): boolean {
    const left = this.left(network);
    this.keep(network, left < 1 ? left : left - 1);
    return left >= 1;
  }

  /** It was not needed: the key was a good one. */
  giveBack(network: string): void {
    this.keep(network, Math.min(allowanceMax, this.left(network) + 1));
  }

  private left(network: string): number {
    const { left, at } = this.networks.get(network) ?? { left: allowanceMax, at: 0 };
    return Math.min(allowanceMax, left + (this.now() - at) / refillMs);
  }

  private keep(network: string, left: number): void {
    this.networks.set(network, { left, at: this.now() });
  }
}
