import { type RedisServer } from '#dev';
import { startRedisCluster, startRedisSentinels } from '#testing';
import { playFaults } from '../faults/support/fault-run.js';
import { expectNothingLost } from '../faults/support/fault-suite.js';
import { type Fault } from '../faults/support/faults.js';
import { reportOf } from '../faults/support/report.js';
import { startOperatedStack } from './support/operated-stack.js';

/** How often a master is killed. */
const failovers = Number(process.env.FAILOVERS ?? 1);
const pendingTimeoutMs = 3_000;

interface ReplicatedRedis {
  readonly url: string;
  /** The server that carries charges. */
  master(): Promise<RedisServer>;
  whole(): Promise<void>;
  stop(): Promise<void>;
}

async function startCluster(): Promise<ReplicatedRedis> {
  const cluster = await startRedisCluster();
  return { ...cluster, master: () => cluster.masterOf('rpc:{billing}:gateway:requests') };
}

/** Resolves once the killed master has gone; sentinels and clusters put its replica in its place. */
function killMaster(): Fault<ReplicatedRedis> {
  let killed: RedisServer | undefined;
  return {
    kind: 'kill',
    target: 'redis',
    async inject(redis) {
      killed = await redis.master();
      killed.kill('SIGKILL');
      await killed.exited;
    },
    async overcome(redis) {
      expect((await redis.master()).port).not.toBe(killed?.port);
      await killed?.restart();
      await redis.whole();
    },
  };
}

it.each([
  ['the master that sentinels watch', startRedisSentinels],
  ['a master of a Redis Cluster', startCluster],
])(
  '%s is killed under load: a replica takes its place, calls succeed again by themselves, and no credit is lost',
  async (name, start: () => Promise<ReplicatedRedis>) => {
    const replicas = 2;
    const target = await start();
    const stack = await startOperatedStack({
      redisUrl: target.url,
      replicas: { gateway: replicas, catalog: replicas, billing: replicas },
      environment: {
        REQUEST_DEADLINE_MS: '2500',
        PENDING_TIMEOUT_MS: String(pendingTimeoutMs),
        SWEEP_PERIOD_MS: '500',
      },
    });
    try {
      const faults = Array.from({ length: failovers }, killMaster);
      const run = await playFaults({ stack, target, replicas, pendingTimeoutMs }, faults);
      process.stdout.write(reportOf(run, name));
      expectNothingLost(run);
    } finally {
      await stack.stop();
      await target.stop();
    }
  },
  120_000 + failovers * 60_000,
);
