import { Inject, Injectable, Optional } from '@nestjs/common';
import { networksOf } from '../requests/networks.js';
import { MONOTONIC_CLOCK, RecentMap } from '../requests/recent-map.js';

interface Allowance {
  /** What it may still do at once. */
  left: number;
  /** When that was so, on the monotonic clock, ms. */
  at: number;
}

const allowanceMax = 20;
const refillMs = 1_000;
/** How much more than an IPv4 address or a /64 a /56 and a /48 may do. */
const timesOfLevel = [1, 4, 16] as const;
const networksMax = 10_000;

/**
 * What each network may do before it has a key or session that is known, whatever it does: 20 times at once, and one more time every second; a /56 four
 * times and a /48 sixteen times as much. Of unknown keys a few are mistakes, more are a search for one; of large files a few
 * are people, more are a flood. Beyond 10,000 networks the one quiet for longest counts as new again. The keys of a client
 * with that many addresses are then looked up one by one, within the bound on calls in progress; keys of other clients don't
 * wait for them.
 */
@Injectable()
export class TokenBucket {
  private readonly levels = timesOfLevel.map(() => new RecentMap<Allowance>(networksMax));

  constructor(@Optional() @Inject(MONOTONIC_CLOCK) private readonly now = () => performance.now()) {}

  /** Takes one from each network of an address; `false`, and nothing taken, when one of them has none left. */
  take(address: string): boolean {
    const networks = networksOf(address);
    const isLeft = networks.every((network, level) => this.left(network, level) >= 1);
    networks.forEach((network, level) =>
      this.keep(network, level, this.left(network, level) - (isLeft ? 1 : 0)),
    );
    return isLeft;
  }

  /** It was not needed: the key was a good one. */
  giveBack(address: string): void {
    networksOf(address).forEach((network, level) =>
      this.keep(network, level, Math.min(maxOf(level), this.left(network, level) + 1)),
    );
  }

  private left(network: string, level: number): number {
    const { left, at } = this.levels[level]?.get(network) ?? { left: maxOf(level), at: 0 };
    return Math.min(maxOf(level), left + ((this.now() - at) / refillMs) * timesOf(level));
  }

  private keep(network: string, level: number, left: number): void {
    this.levels[level]?.set(network, { left, at: this.now() });
  }
}

function timesOf(level: number): number {
  return timesOfLevel[level] ?? 1;
}

function maxOf(level: number): number {
  return allowanceMax * timesOf(level);
}
