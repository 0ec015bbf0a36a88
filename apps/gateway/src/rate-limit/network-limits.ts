import { ServiceError } from '@app/contracts';
import { Injectable } from '@nestjs/common';
import { type RateLimit, RateLimiter } from './rate-limiter.js';

/** What can be done without a key or a session. An office shares one address: so many for each network. */
const limits = {
  sign_in: { calls: 30, seconds: 900 },
  sign_in_code: { calls: 60, seconds: 900 },
  creator_page: { calls: 60, seconds: 60 },
} as const satisfies Readonly<Record<string, RateLimit>>;

/** Counts what networks do, across all gateways. */
@Injectable()
export class NetworkLimits {
  constructor(private readonly limiter: RateLimiter) {}

  /** Throws `rate_limited` beyond the limit. */
  async admit(what: keyof typeof limits, network: string): Promise<void> {
    const { admitted, resetSeconds } = await this.limiter.admit(what, network, limits[what]);
    if (admitted) return;
    const minutes = Math.ceil(resetSeconds / 60);
    const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
    throw new ServiceError('rate_limited', `Too many attempts from your network. Try again in ${wait}.`);
  }
}
