import { type RateLimit, ServiceError } from '@app/contracts';
import { Injectable, Logger } from '@nestjs/common';
import { networksOf } from '../requests/networks.js';
import { RateLimiter } from './rate-limiter.js';

/** What can be done without a key or a session. An office shares one address: so many for each network. */
const limits = {
  sign_in: { calls: 30, seconds: 900 },
  sign_in_code: { calls: 60, seconds: 900 },
  /** Successes are given back to both, so that a whole office can sign in: only abandoned and failed sign-ins count. */
  provider_begin: { calls: 300, seconds: 900 },
  provider_callback: { calls: 200, seconds: 900 },
  creator_page: { calls: 60, seconds: 60 },
} as const satisfies Readonly<Record<string, RateLimit>>;

/** How much more than an IPv4 address or a /64 a /56 and a /48 may do. */
const timesOfLevel = [1, 4, 16] as const;

/** Counts what networks do, across all gateways. */
@Injectable()
export class NetworkLimits {
  private readonly logger = new Logger(NetworkLimits.name);

  constructor(private readonly limiter: RateLimiter) {}

  /** Throws `rate_limited` beyond the limit of one of the networks of the address. */
  async admit(what: keyof typeof limits, address: string): Promise<void> {
    const { calls, seconds } = limits[what];
    for (const [level, network] of networksOf(address).entries()) {
      const limit = { calls: calls * (timesOfLevel[level] ?? 1), seconds };
      const { admitted, resetSeconds } = await this.limiter.admit(what, network, limit);
      if (!admitted) throw this.tooMany(resetSeconds);
    }
  }

  private tooMany(resetSeconds: number): ServiceError {
    const minutes = Math.ceil(resetSeconds / 60);
    const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
    return new ServiceError('rate_limited', `Too many attempts from your network. Try again in ${wait}.`);
  }

  /** Successes do not count: guesses fail. */
  async giveBack(what: keyof typeof limits, address: string): Promise<void> {
    try {
      for (const network of networksOf(address)) await this.limiter.giveBack(what, network);
    } catch (error) {
      // It counts as a failed attempt, which is no reason to fail the member's request.
      this.logger.warn(new Error('a success was counted against its network', { cause: error }));
    }
  }
}
