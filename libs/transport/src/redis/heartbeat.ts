import { type Redis } from 'ioredis';

const periodMs = 1_000;
/** Longer than a blocking read takes, or a busy Redis. */
const silenceMaxMs = 3_000;

/**
 * Reconnects when the server has not answered for 3 s; `note` gets the reason. A host that disappears, or a master
 * replaced while it hung, closes no connection: a subscriber would wait for ever.
 */
export function startHeartbeat(redis: Redis, note: (reason: string) => void): void {
  let askedAt: number | null = null;
  const beat = (): void => {
    if (redis.status !== 'ready') {
      askedAt = null;
    } else if (askedAt === null) {
      askedAt = performance.now();
      const answered = (): void => void (askedAt = null);
      redis.ping().then(answered, answered);
    } else if (performance.now() - askedAt > silenceMaxMs) {
      askedAt = null;
      note(`no answer for ${silenceMaxMs / 1_000} s`);
      redis.disconnect(true);
    }
  };
  const timer = setInterval(beat, periodMs).unref();
  redis.once('end', () => clearInterval(timer));
}
