import { startRedisCluster } from '../servers/redis-cluster.js';
import { startRedisSentinels } from '../servers/redis-sentinel.js';
import { startCitus } from './citus-layout.js';
import { type ServerLayout, startDeployed } from './deployed-layout.js';

/** The layouts by name. */
export const serverLayouts: Readonly<Record<string, () => Promise<ServerLayout>>> = {
  sentinel: async () => withRedis(await startRedisSentinels()),
  cluster: async () => withRedis(await startRedisCluster()),
  deployed: startDeployed,
  citus: startCitus,
};

function withRedis(redis: { readonly url: string; stop(): Promise<void> }): ServerLayout {
  return { options: { redisUrl: redis.url }, stop: () => redis.stop() };
}
