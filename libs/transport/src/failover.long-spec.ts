import { broadcast, message } from '#contracts';
import { type RedisServer as RedisInstance } from '#dev';
import { startRedisCluster, startRedisSentinels } from '#testing';
import { Controller } from '@nestjs/common';
import { EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { setTimeout as delay } from 'node:timers/promises';
import { itCarriesMessages } from './fixtures/carried-messages.fixture.js';
import { Named, Numbered, TransportFixture } from './fixtures/transport.fixture.js';
import { type ServiceClient } from './index.js';
import { keys } from './redis/keys.js';

const echo = message<Numbered, number>('catalog', 'echo', Numbered);
const changed = broadcast<Named>('test.changed', Named);
const received = new Set<string>();
const healsWithinMs = 15_000;

@Controller()
class Handlers {
  @MessagePattern(echo.pattern)
  echo(@Payload() { n }: Numbered): number {
    return n;
  }

  @EventPattern<Record<string, Named>>(changed.event)
  changed(@Payload() { id }: Named): void {
    received.add(id);
  }
}

interface ReplicatedRedis {
  readonly url: string;
  masterOf(key: string): Promise<RedisInstance>;
  whole(): Promise<void>;
  stop(): Promise<void>;
}

async function startSentinels(): Promise<ReplicatedRedis> {
  const sentinels = await startRedisSentinels();
  return { ...sentinels, masterOf: () => sentinels.master() };
}

describe('transport over a Redis that sentinels watch', () => itCarriesMessages(startRedisSentinels));
describe('transport over a Redis Cluster', () => itCarriesMessages(startRedisCluster));

const requests = keys.queue('catalog', 'gateway', 'requests');
const broadcasts = keys.broadcastChannel(changed.event);

describe.each([
  { kind: 'sentinels put', start: startSentinels, hanging: [requests] },
  { kind: 'a cluster puts', start: startRedisCluster, hanging: [requests, broadcasts] },
])('a master hangs, and $kind another in its place', ({ start, hanging }) => {
  let redis: ReplicatedRedis;
  let transport: TransportFixture<ReplicatedRedis>;
  let client: ServiceClient;

  beforeAll(async () => {
    redis = await start();
    transport = new TransportFixture(redis);
    client = await transport.client();
    await transport.service(Handlers);
  }, 60_000);
  afterAll(() => transport.stop());

  it.each(hanging)(
    'requests are answered and broadcasts arrive again without %s, though no connection was closed',
    async (key) => {
      await redis.whole();
      await answers();
      await receives();
      const master = await redis.masterOf(key);
      master.kill('SIGSTOP');
      try {
        const startedAt = performance.now();
        await again(answers);
        await again(receives);
        expect(performance.now() - startedAt).toBeLessThan(healsWithinMs);
      } finally {
        master.kill('SIGCONT');
      }
    },
    4 * healsWithinMs,
  );

  async function answers(): Promise<void> {
    expect(await client.request(echo, { n: 7 }, { requestId: 'request', deadlineMs: 500 })).toBe(7);
  }

  async function receives(): Promise<void> {
    const id = `event ${performance.now()}`;
    await Promise.race([client.broadcast(changed, { id }), delay(500)]);
    await delay(50);
    if (!received.has(id)) throw new Error('not received yet');
  }

  async function again(works: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await works();
      } catch {
        // As long as nothing is back; the time limit of the test ends this.
        await delay(50);
      }
    }
  }
});
