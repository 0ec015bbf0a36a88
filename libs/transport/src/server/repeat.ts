import { type RedisConnection } from '../redis/create-redis.js';

/**
 * Runs something now, then every `periodMs` and after each reconnection: what fails then is repaired by the next run. Returns
 * the function that ends it.
 */
export async function repeat(
  redis: RedisConnection,
  periodMs: number,
  run: () => Promise<void>,
): Promise<() => void> {
  await run();
  const again = (): void => void run().catch(() => undefined);
  redis.on('ready', again);
  const timer = setInterval(again, periodMs);
  return () => {
    clearInterval(timer);
    redis.off('ready', again);
  };
}
