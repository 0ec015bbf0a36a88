import { networksOf } from '#http';
import { Injectable } from '@nestjs/common';
import { limits, networkTimes } from '../limits.js';
import { RecentMap } from '../requests/recent-map.js';

const networksMax = 10_000;
/** A full bucket is used up by this much work, whatever the size of the network: larger ones fill faster. */
const bucketMs = (limits.strangerRequests / limits.strangerRequestsPerSecond) * 1_000;

/**
 * The tokens of each network, for its requests without a known key or session. Beyond 10,000 networks the one seen longest ago
 * counts as new again.
 */
@Injectable()
export class TokenBucket {
  /** When the bucket of a network will be full again, on the monotonic clock, ms. */
  private readonly fullAt = networkTimes.map(() => new RecentMap<number>(networksMax));

  /**
   * Takes tokens from every network of an address: the time until they are there, ms; `null`, and nothing is taken, when that
   * is too long.
   */
  take(address: string, tokens: number): number | null {
    const fullAt = networksOf(address).map((network, level) => this.fullAfter(network, level, tokens));
    const waitMs = Math.max(0, ...fullAt.map((at) => at - performance.now() - bucketMs));
    if (waitMs > limits.strangerWaitMs) return null;
    this.add(address, tokens);
    return waitMs;
  }

  /** Gives tokens back that were not needed: the key or session was a good one. */
  giveBack(address: string, tokens: number): void {
    this.add(address, -tokens);
  }

  private add(address: string, tokens: number): void {
    networksOf(address).forEach((network, level) =>
      this.fullAt[level]?.set(network, this.fullAfter(network, level, tokens)),
    );
  }

  private fullAfter(network: string, level: number, tokens: number): number {
    const fullAt = Math.max(performance.now(), this.fullAt[level]?.get(network) ?? 0);
    const msOfToken = 1_000 / (limits.strangerRequestsPerSecond * (networkTimes[level] ?? 1));
    return fullAt + tokens * msOfToken;
  }
}
