import { type RedisServer, type Stack } from '#dev';
import { eventually, startRedisCluster, startRedisSentinels } from '#testing';
import { createFundedAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { Consumer, type Receipt, hasFailed } from '../support/consumers.js';
import { reckon } from '../support/reckoning.js';
import { settledLedgers } from '../support/settled-ledgers.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';

/** How often a master is killed. */
const failovers = Number(process.env.FAILOVERS ?? 1);
const consumerCount = 4;
const wellForMs = 1_000;
const healsWithinMs = 15_000;
/** Sentinels take their time to make a replica of a master that came back. */
const rejoinsWithinMs = 40_000;
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

describe.each([
  ['the master that sentinels watch', startRedisSentinels],
  ['a master of a Redis Cluster', startCluster],
])('%s is killed under load, again and again', (name, startServers: () => Promise<ReplicatedRedis>) => {
  const catalog = new SuiteCatalog();
  const creator = catalog.record('someone');
  let redis: ReplicatedRedis;
  let stack: Stack;
  let consumers: Consumer[] = [];

  beforeAll(async () => {
    redis = await startServers();
    stack = await startOperatedStack({
      redisUrl: redis.url,
      replicas: { gateway: 2, catalog: 2, billing: 2 },
      environment: {
        REQUEST_DEADLINE_MS: '2500',
        PENDING_TIMEOUT_MS: String(pendingTimeoutMs),
        SWEEP_PERIOD_MS: '500',
      },
    });
    await catalog.importVisible([creator]);
    const accounts = await Promise.all(
      Array.from({ length: consumerCount }, () => createFundedAccount({ credits: 1_000_000, keys: 5 })),
    );
    consumers = accounts.map((account) => new Consumer(account, creator.slug, false));
  }, 120_000);

  afterAll(async () => {
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await stack?.stop();
    await redis?.stop();
  });

  it(
    'a replica takes its place, calls succeed again by themselves, and no credit is taken for one that failed',
    async () => {
      const faults = [];
      const failsForMs: number[] = [];
      for (let round = 0; round < failovers; round++) {
        const master = await redis.master();
        const startedAt = performance.now();
        master.kill('SIGKILL');
        await master.exited;
        await eventually(() => expectWellSince(startedAt), healsWithinMs);
        const endedAt = performance.now();
        const other = await redis.master();
        expect(other.port).not.toBe(master.port);
        faults.push({ kind: 'kill', target: 'redis', startedAt, endedAt });
        failsForMs.push(lastFailureSince(startedAt) - startedAt);
        if (round + 1 === failovers) break;
        await master.restart();
        await redis.whole();
      }
      await Promise.all(consumers.map((consumer) => consumer.stop()));

      const receipts = receiptsSince(0);
      const accountIds = [...new Set(receipts.map(({ accountId }) => accountId))];
      const ledgers = await settledLedgers(accountIds, 10 * pendingTimeoutMs);
      const { overcharged, doubled, unexplained, creditsSeen } = reckon(
        receipts,
        ledgers,
        faults,
        pendingTimeoutMs,
      );
      const seconds = [Math.min(...failsForMs), Math.max(...failsForMs)].map((ms) => (ms / 1_000).toFixed(1));
      process.stdout.write(
        `${name}, killed ${failovers} times: calls fail for ${seconds.join('-')} s, ` +
          `${receipts.filter(hasFailed).length} of ${receipts.length} calls, taken wrongly ${overcharged.length + doubled.length}\n`,
      );
      expect({ overcharged, doubled, unexplained }).toEqual({
        overcharged: [],
        doubled: [],
        unexplained: [],
      });
      expect(creditsSeen).toBeGreaterThan(0);
      expect((await admin.audit()).discrepancies).toEqual([]);
    },
    failovers * (healsWithinMs + rejoinsWithinMs) + 40_000,
  );

  function receiptsSince(since: number): Receipt[] {
    return consumers.flatMap(({ receipts }) => receipts.filter(({ startedAt }) => startedAt >= since));
  }

  function lastFailureSince(since: number): number {
    return Math.max(
      since,
      ...receiptsSince(since)
        .filter(hasFailed)
        .map(({ endedAt }) => endedAt),
    );
  }

  /** Throws unless calls have succeeded for a while, and none failed. */
  function expectWellSince(since: number): Promise<void> {
    const lastFailure = lastFailureSince(since);
    const wellSince = Math.min(
      ...receiptsSince(since)
        .filter((one) => !hasFailed(one) && one.endedAt > lastFailure)
        .map(({ endedAt }) => endedAt),
    );
    if (performance.now() - wellSince > wellForMs) return Promise.resolve();
    return Promise.reject(new Error('calls still fail'));
  }
});
