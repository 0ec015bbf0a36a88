import { Inject, Injectable, Optional } from '@nestjs/common';
import { MONOTONIC_CLOCK, RecentMap } from '../../requests/recent-map.js';

interface Account {
  /** What may still be done, ms; less than nothing when more was done. */
  readonly left: number;
  readonly at: number;
}

/** Of each second of the event loop, by size of network: an IPv4 address or a /64, a /56, a /48. */
const shares = [0.2, 0.3, 0.4] as const;
/** What was not used is kept for so long: pages and clients begin with several requests. */
const savedMs = 2_000;
const networksMax = 10_000;

/**
 * The work that each network may cause without a key or session that is known, in ms of the event loop: charged after it
 * was done, when its cost is known. Beyond 10,000 networks the one seen longest ago counts as new again.
 */
@Injectable()
export class WorkBudget {
  private readonly accounts = shares.map(() => new RecentMap<Account>(networksMax));
  /** When the last debt will be paid off, on the monotonic clock, ms. */
  private debtUntil = -Infinity;

  constructor(@Optional() @Inject(MONOTONIC_CLOCK) private readonly now = () => performance.now()) {}

  /** Whether any network at all may have used up what it has: in the normal case nothing else is asked. */
  get hasDebtors(): boolean {
    return this.now() < this.debtUntil;
  }

  /** `networks`: the smallest first. */
  spend(networks: readonly string[], ms: number): void {
    const at = this.now();
    networks.forEach((network, level) => {
      const left = this.left(network, level) - ms;
      this.accounts[level]?.set(network, { left, at });
      if (left <= 0) this.debtUntil = Math.max(this.debtUntil, at + (1 - left) / shareOf(level));
    });
  }

  /** Whether one of them has used up what it has. */
  isSpent(networks: readonly string[]): boolean {
    return networks.some((network, level) => this.left(network, level) <= 0);
  }

  private left(network: string, level: number): number {
    const max = savedMs * shareOf(level);
    const known = this.accounts[level]?.get(network);
    return known ? Math.min(max, known.left + (this.now() - known.at) * shareOf(level)) : max;
  }
}

function shareOf(level: number): number {
  return shares[level] ?? shares[0];
}
