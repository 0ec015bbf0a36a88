import { RateLimiter, networksOf } from '#http';
import { type RateLimit, ServiceError } from '#contracts';
import { Injectable, Logger } from '@nestjs/common';
import { limits, siteTimes } from './limits.js';

/** Limits of what is done without a session, for each network: an office shares one address. */
const limitsOf = {
  sign_in: [limits.signInMails],
  sign_in_code: [limits.signInCodes],
  provider_begin: [limits.providerSignIns],
  provider_callback: [limits.providerCallbacks],
  creator_page: [limits.creatorPagesAMinute, limits.creatorPagesADay],
} as const satisfies Readonly<Record<string, readonly RateLimit[]>>;

type What = keyof typeof limitsOf;

/** A network has reached a limit; `retryAfterSeconds`: until it may try again. */
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

/** Counts what networks do, across all replicas. */
@Injectable()
export class NetworkLimits {
  private readonly logger = new Logger(NetworkLimits.name);

  constructor(private readonly limiter: RateLimiter) {}

  /** Throws `NetworkLimitError` beyond a limit of one of the networks of the address. */
  async admit(what: What, address: string): Promise<void> {
    for (const { group, network, limit } of limitsFor(what, address)) {
      const { admitted, resetSeconds } = await this.limiter.admit(group, network, limit);
      if (!admitted) throw new NetworkLimitError(resetSeconds);
    }
  }

  /** Uncounts a success: only guesses fail. */
  async giveBack(what: What, address: string): Promise<void> {
    try {
      for (const { group, network } of limitsFor(what, address)) await this.limiter.giveBack(group, network);
    } catch (error) {
      // It counts as a failed attempt, which is no reason to fail the member's request.
      this.logger.warn(new Error('a success was counted against its network', { cause: error }));
    }
  }
}

/** The limits of each network of an address, smallest first. Each window has a log of its own. */
function* limitsFor(what: What, address: string) {
  for (const [level, network] of networksOf(address).entries()) {
    for (const { calls, seconds } of limitsOf[what]) {
      yield {
        group: `${what}:${seconds}`,
        network,
        limit: { calls: calls * (siteTimes[level] ?? 1), seconds },
      };
    }
  }
}
