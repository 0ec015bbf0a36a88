import { ServiceError } from '@app/contracts';
import { LOGGER, type Logger } from '@app/platform';
import { Inject, Injectable } from '@nestjs/common';
import { RecentMap } from '../authentication/recent-map.js';
import { counted } from '../text/counted.js';
import { callsMax, RateLimiter, windowSeconds } from './rate-limiter.js';

interface Answer {
  header(name: string, value: string): unknown;
}

const keysMax = 10_000;

/**
 * Paid calls whose clients hung up before they had the whole answer. Those calls are free, so a key may have 60 of them in 60
 * seconds; then its paid calls of every kind are refused. They are counted in Redis for all gateways, and only when one
 * occurs: a gateway learns that there were too many from the next one on its own connections, and other calls wait for nothing.
 */
@Injectable()
export class AbandonedCalls {
  /** Until when a key is refused, on the monotonic clock, ms. */
  private readonly refusedUntil = new RecentMap<number>(keysMax);

  constructor(
    private readonly limiter: RateLimiter,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Throws `rate_limited` for a key that has abandoned too many calls. */
  refuseIfTooMany(keyId: string, reply: Answer): void {
    const leftMs = (this.refusedUntil.get(keyId) ?? -Infinity) - performance.now();
    if (leftMs <= 0) return;
    const seconds = Math.ceil(leftMs / 1_000);
    void reply.header('retry-after', String(seconds));
    throw new ServiceError(
      'rate_limited',
      `With this key ${callsMax} calls in ${windowSeconds} seconds were hung up before the answer had arrived whole. Read answers to their end, and try again in ${counted(seconds, 'second')}.`,
    );
  }

  /** Counts one more, in the background. */
  note(keyId: string): void {
    this.count(keyId).catch((error: unknown) =>
      this.logger.warn({ err: error, key_id: keyId }, 'an abandoned call was not counted'),
    );
  }

  private async count(keyId: string): Promise<void> {
    const { remaining, resetSeconds } = await this.limiter.admit('abandoned', keyId);
    if (remaining === 0) this.refusedUntil.set(keyId, performance.now() + resetSeconds * 1_000);
  }
}
