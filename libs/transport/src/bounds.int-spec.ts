import { message } from '#contracts';
import { type RedisServer as RedisInstance, startRedis } from '#dev';
import { eventually, gate } from '#testing';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { Redis } from 'ioredis';
import { context, Numbered, TransportFixture } from './fixtures/transport.fixture.js';
import { type ServiceClient } from './index.js';
import { keys } from './redis/keys.js';

// Redis is started for each test.
jest.setTimeout(30_000);

const deadlineMs = 25_000;
const resendAfterMs = 200;
const work = message<Numbered, number>('catalog', 'work', Numbered, { deadlineMs, resendAfterMs });
const workOnce = message<Numbered, number>('catalog', 'work', Numbered, { deadlineMs, resendAfterMs: null });
const settleWork = message<Numbered, number>('catalog', 'settle', Numbered, { queue: 'settlements' });

/** What has begun, oldest first. */
let begun: number[];
/** Until when the first message is not answered. */
let isHeld: Promise<void> | undefined;

@Controller()
class Handlers {
  @MessagePattern(work.pattern)
  async work(@Payload() { n }: Numbered): Promise<number> {
    if (begun.push(n) === 1) await isHeld;
    return n;
  }

  @MessagePattern(settleWork.pattern)
  settle(@Payload() { n }: Numbered): number {
    return n;
  }
}

/** Milliseconds on an idle machine, and far below the deadline on a busy one. */
const atOnceMs = 2_000;

let server: RedisInstance;
let transport: TransportFixture;
let redis: Redis;
let client: ServiceClient;

beforeEach(async () => {
  [begun, isHeld] = [[], undefined];
  server = await startRedis();
  transport = new TransportFixture(server);
  redis = new Redis(server.url).on('error', () => undefined);
  client = await transport.client({ queueMax: 5 });
});
afterEach(async () => {
  redis.disconnect();
  await transport.stop();
});

/** Adds the lease of a replica that takes no work. */
async function leaseFor(seconds: number): Promise<void> {
  const [now] = await redis.time();
  await redis.zadd(keys.replicas('catalog'), (Number(now) + seconds) * 1_000 - 1, 'busy');
}

const waiting = (queue: 'requests' | 'settlements') => redis.llen(keys.queue('catalog', 'gateway', queue));

async function expectUnavailableAtOnce(): Promise<void> {
  const started = performance.now();
  await expect(client.request(work, { n: 1 }, context)).rejects.toMatchObject({ code: 'unavailable' });
  expect(performance.now() - started).toBeLessThan(atOnceMs);
}

it('a request is unavailable at once while no replica is alive, or only one whose lease ran out', async () => {
  await expectUnavailableAtOnce();
  await leaseFor(0);
  await expectUnavailableAtOnce();
});

it('a request is unavailable at once while Redis is down', async () => {
  await transport.service(Handlers);
  server.kill('SIGKILL');
  await server.exited;
  await eventually(() => Promise.resolve(expect(client.isReady).toBe(false)), atOnceMs);
  await expectUnavailableAtOnce();
  await server.restart();
});

it('a full queue refuses requests at once, while settlements are still accepted', async () => {
  await leaseFor(60);
  const requests = Array.from({ length: 5 }, (_, n) => client.request(workOnce, { n }, context));
  while ((await waiting('requests')) < 5) await redis.ping();
  await expectUnavailableAtOnce();
  const settlements = Array.from({ length: 20 }, (_, n) => client.request(settleWork, { n }, context));
  while ((await waiting('settlements')) < 20) await redis.ping();
  await transport.service(Handlers);
  expect(await Promise.all(settlements)).toHaveLength(20);
  expect(await Promise.all(requests)).toEqual([0, 1, 2, 3, 4]);
});

it('a request past its deadline is never run', async () => {
  await leaseFor(60);
  const late = client.request(workOnce, { n: 666 }, { ...context, deadlineMs: 50 });
  await expect(late).rejects.toMatchObject({ code: 'deadline_exceeded' });
  expect(await waiting('requests')).toBe(1);
  await transport.service(Handlers);
  expect(await client.request(work, { n: 1 }, context)).toBe(1);
  expect([begun, await waiting('requests')]).toEqual([[1], 0]);
});

it('a request whose reply is lost, with its replica or with Redis, is sent again', async () => {
  const end = gate();
  isHeld = end.opened;
  await transport.service(Handlers);
  expect(await client.request(work, { n: 1 }, context)).toBe(1);
  expect(begun).toEqual([1, 1]);
  end.open();
});

it.each([300_000, -300_000])('a host whose clock is %i ms off answers like any other', async (skewMs) => {
  const now = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => now() + skewMs);
  await transport.service(Handlers);
  expect(await client.request(work, { n: 1 }, { ...context, deadlineMs: 1_000 })).toBe(1);
  jest.restoreAllMocks();
});
