import { RateLimiter, networksOf } from '#http';
import { ServiceError } from '#contracts';
import { Injectable, Logger } from '@nestjs/common';
import { limits, siteTimes } from './limits.js';

/** The limits of what is done without a session, for each network: an office shares one address. */
type NetworkLimit =
  | 'signInMails'
  | 'signInCodes'
  | 'providerSignIns'
  | 'providerCallbacks'
  | 'creatorPagesAMinute'
  | 'creatorPagesADay';

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

  /** Throws `NetworkLimitError` beyond the limit of one of the networks of the address. */
  async admit(what: NetworkLimit, address: string): Promise<void> {
    for (const { network, limit } of limitsFor(what, address)) {
      const { admitted, resetSeconds } = await this.limiter.admit(what, network, limit);
      if (!admitted) throw new NetworkLimitError(resetSeconds);
    }
  }

  /** Uncounts a success: only guesses fail. */
  async giveBack(what: NetworkLimit, address: string): Promise<void> {
    try {
      for (const network of networksOf(address)) await this.limiter.giveBack(what, network);
    } catch (error) {
      // It counts as a failed attempt, which is no reason to fail the member's request.
      this.logger.warn(new Error('a success was counted against its network', { cause: error }));
    }
  }
}

/** The limits of each network of an address, smallest first. */
function limitsFor(what: NetworkLimit, address: string) {
  const { calls, seconds } = limits[what];
  return networksOf(address).map((network, level) => ({
    network,
    limit: { calls: calls * (siteTimes[level] ?? 1), seconds },
  }));
}
