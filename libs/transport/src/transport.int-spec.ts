import { Controller, type INestMicroservice, Module } from '@nestjs/common';
import { broadcast, message, NoPayload, ServiceError, WithBytes } from '@app/contracts';
import { createLogger } from '@app/platform';
import { startRedis } from '@app/local-stack';
import { startRedisCluster, startRedisSentinels } from '@app/testing';
import { NestFactory } from '@nestjs/core';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { Failing, Named, Numbered, Sized, Timed } from './fixtures/test-payloads.fixture.js';
import { MessageContext, PassErrorsToTransport, RedisServer, ServiceClient } from './index.js';

const echo = message<unknown, unknown>('catalog', 'echo', NoPayload);
const fail = message<Failing, never>('catalog', 'fail', Failing);
const big = message<Sized, WithBytes<{ length: number }>>('catalog', 'big', Sized);
const slow = message<Timed, number>('catalog', 'slow', Timed);
const count = message<Numbered, number>('catalog', 'count', Numbered);
const changed = broadcast<Named>('test.changed', Named);
const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

const seen: number[] = [];
const received: string[] = [];

@Controller()
class Handlers {
  @MessagePattern(echo.pattern)
  echo(@Payload() payload: unknown, @Ctx() context: MessageContext): unknown {
    return { payload, requestId: context.requestId, remainingMs: context.remainingMs() };
  }

  @MessagePattern(fail.pattern)
  fail(@Payload() { code }: Failing): never {
    if (code === 'secret') throw new Error('the secret text');
    throw new ServiceError('conflict', 'It is taken.', { details: { name: ['name is taken'] } });
  }

  @MessagePattern(big.pattern)
  big(@Payload() { bytes }: Sized): WithBytes<{ length: number }> {
    return new WithBytes({ length: bytes }, Buffer.alloc(bytes, '\n'));
  }

  @MessagePattern(count.pattern)
  count(@Payload() { n }: Numbered): number {
    seen.push(n);
    return n;
  }

  @MessagePattern(slow.pattern)
  async slow(@Payload() { ms }: Timed): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return ms;
  }

  @EventPattern<Record<string, Named>>(changed.event)
  changed(@Payload() { id }: Named): void {
    received.push(id);
  }
}

@Module({ controllers: [Handlers] })
class HandlersModule {}

async function startReplica(redisUrl: string): Promise<INestMicroservice> {
  const strategy = new RedisServer({ redisUrl, service: 'catalog', logger });
  const app = await NestFactory.createMicroservice(HandlersModule, { strategy, logger: false });
  app.useGlobalFilters(new PassErrorsToTransport());
  await app.listen();
  return app;
}

const kinds = {
  'one Redis': startRedis,
  'a Redis that sentinels watch': startRedisSentinels,
  'a Redis Cluster': startRedisCluster,
};

describe.each(Object.entries(kinds))('transport over %s', (_, start) => {
  let redis: { url: string; stop(): Promise<void> };
  let client: ServiceClient;
  let replicas: INestMicroservice[];

  beforeAll(async () => {
    redis = await start();
    seen.length = 0;
    received.length = 0;
    client = new ServiceClient({ redisUrl: redis.url, logger });
    await client.connect();
    replicas = [await startReplica(redis.url), await startReplica(redis.url)];
  });

  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await client.close();
    await redis.stop();
  });

  const context = { requestId: 'req-1' };

  it('answers with what the handler returns, and hands it the request id and the time that is left', async () => {
    const reply = await client.request(echo, { text: 'zwölf\n' }, { requestId: 'abc', deadlineMs: 900 });
    expect(reply).toEqual({
      payload: { text: 'zwölf\n' },
      requestId: 'abc',
      remainingMs: expect.any(Number) as number,
    });
    expect((reply as { remainingMs: number }).remainingMs).toBeGreaterThan(0);
    expect((reply as { remainingMs: number }).remainingMs).toBeLessThanOrEqual(1_000);
  });

  it('returns errors with their code and details, and hides those that are not ours', async () => {
    await expect(client.request(fail, { code: 'conflict' }, context)).rejects.toMatchObject({
      code: 'conflict',
      message: 'It is taken.',
      details: { name: ['name is taken'] },
    });
    const error: unknown = await client
      .request(fail, { code: 'secret' }, context)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'internal' });
    expect(String(error)).not.toContain('secret');
  });

  it('carries a reply of 5 MB', async () => {
    const reply = await client.request(big, { bytes: 5_000_000 }, context);
    expect(reply).toBeInstanceOf(WithBytes);
    expect(reply.value).toEqual({ length: 5_000_000 });
    expect(reply.bytes.equals(Buffer.alloc(5_000_000, '\n'))).toBe(true);
  });

  it('delivers each of 5,000 requests to one of two replicas, once', async () => {
    const numbers = Array.from({ length: 5_000 }, (_, n) => n);
    const pending = [...numbers];
    const workers = Array.from({ length: 64 }, async () => {
      for (let n = pending.pop(); n !== undefined; n = pending.pop()) {
        expect(await client.request(count, { n }, context)).toBe(n);
      }
    });
    await Promise.all(workers);
    expect(seen.toSorted((a, b) => a - b)).toEqual(numbers);
  });

  it('delivers a broadcast to every replica', async () => {
    await client.broadcast(changed, { id: 'x' });
    await client.request(echo, {}, context);
    await client.request(echo, {}, context);
    expect(received).toEqual(['x', 'x']);
  });

  it('gives up at the deadline', async () => {
    const started = performance.now();
    await expect(client.request(slow, { ms: 2_000 }, { ...context, deadlineMs: 200 })).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
