import { type RateLimit, ServiceError } from '#contracts';
import { Injectable, Logger } from '@nestjs/common';
import { networksOf } from '../requests/networks.js';
import { RateLimiter } from './rate-limiter.js';

/** What can be done without a key or a session. An office shares one address: so many for each network. */
const limits = {
  sign_in: [{ calls: 30, seconds: 900 }],
  sign_in_code: [{ calls: 60, seconds: 900 }],
  /** Successes are given back to both, so that a whole office can sign in: only abandoned and failed sign-ins count. */
  provider_begin: [{ calls: 300, seconds: 900 }],
  provider_callback: [{ calls: 200, seconds: 900 }],
  creator_page: [
    { calls: 10, seconds: 60 },
    { calls: 200, seconds: 86_400 },
  ],
} as const satisfies Readonly<Record<string, readonly RateLimit[]>>;

type What = keyof typeof limits;

/** A network has done too much: until it may go on, in whole seconds. */
export class NetworkLimitError extends ServiceError {
  constructor(readonly retryAfterSeconds: number) {
    super('rate_limited', `Too many attempts from your network. Try again in ${waitOf(retryAfterSeconds)}.`);
  }
}

function waitOf(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes === 1) return 'a minute';
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** How much more than an IPv4 address or a /64 a /56 and a /48 may do. */
const timesOfLevel = [1, 4, 16] as const;

/** Counts what networks do, across all gateways. */
@Injectable()
export class NetworkLimits {
  private readonly logger = new Logger(NetworkLimits.name);

  constructor(private readonly limiter: RateLimiter) {}

  /** Throws `NetworkLimitError` beyond a limit of one of the networks of the address. */
  async admit(what: What, address: string): Promise<void> {
    for (const [level, network] of networksOf(address).entries()) {
      for (const { calls, seconds } of limits[what]) {
        const limit = { calls: calls * (timesOfLevel[level] ?? 1), seconds };
        const { admitted, resetSeconds } = await this.limiter.admit(groupOf(what, seconds), network, limit);
        if (!admitted) throw new NetworkLimitError(resetSeconds);
      }
    }
  }

  /** Successes do not count: guesses fail. */
  async giveBack(what: What, address: string): Promise<void> {
    try {
      for (const network of networksOf(address)) {
        for (const { seconds } of limits[what]) await this.limiter.giveBack(groupOf(what, seconds), network);
      }
    } catch (error) {
      // It counts as a failed attempt, which is no reason to fail the member's request.
      this.logger.warn(new Error('a success was counted against its network', { cause: error }));
    }
  }
}

/** Each window has a log of its own. */
function groupOf(what: What, seconds: number): string {
  return `${what}:${seconds}`;
}
