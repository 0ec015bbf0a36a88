import { broadcast, message, NoPayload, ServiceError, WithBytes } from '#contracts';
import { startRedis } from '#dev';
import { startRedisCluster, startRedisSentinels } from '#testing';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { context, Named, Numbered, TransportFixture } from './fixtures/transport.fixture.js';
import { MessageContext, type ServiceClient } from './index.js';

const echo = message<unknown, unknown>('catalog', 'echo', NoPayload);
const fail = message<Named, never>('catalog', 'fail', Named);
const big = message<Numbered, WithBytes<{ length: number }>>('catalog', 'big', Numbered);
const slow = message<Numbered, number>('catalog', 'slow', Numbered);
const count = message<Numbered, number>('catalog', 'count', Numbered);
const changed = broadcast<Named>('test.changed', Named);

const seen: number[] = [];
const received: string[] = [];

@Controller()
class Handlers {
  @MessagePattern(echo.pattern)
  echo(@Payload() payload: unknown, @Ctx() context: MessageContext): unknown {
    return { payload, requestId: context.requestId, remainingMs: context.remainingMs() };
  }

  @MessagePattern(fail.pattern)
  fail(@Payload() { id }: Named): never {
    if (id === 'secret') throw new Error('the secret text');
    throw new ServiceError('conflict', 'It is taken.', { details: { name: ['name is taken'] } });
  }

  @MessagePattern(big.pattern)
  big(@Payload() { n }: Numbered): WithBytes<{ length: number }> {
    return new WithBytes({ length: n }, Buffer.alloc(n, '\n'));
  }

  @MessagePattern(count.pattern)
  count(@Payload() { n }: Numbered): number {
    seen.push(n);
    return n;
  }

  @MessagePattern(slow.pattern)
  async slow(@Payload() { n }: Numbered): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, n));
    return n;
  }

  @EventPattern<Record<string, Named>>(changed.event)
  changed(@Payload() { id }: Named): void {
    received.push(id);
  }
}

const kinds = {
  'one Redis': startRedis,
  'a Redis that sentinels watch': startRedisSentinels,
  'a Redis Cluster': startRedisCluster,
};

describe.each(Object.entries(kinds))('transport over %s', (_, start) => {
  let transport: TransportFixture<{ url: string; stop(): Promise<void> }>;
  let client: ServiceClient;

  beforeAll(async () => {
    transport = new TransportFixture<{ url: string; stop(): Promise<void> }>(await start());
    seen.length = 0;
    received.length = 0;
    client = await transport.client();
    await transport.service(Handlers);
    await transport.service(Handlers);
  });
  afterAll(() => transport.stop());

  it('a reply is what the handler returns, who gets the request id and the remaining time', async () => {
    const reply = await client.request(echo, { text: 'zwölf\n' }, { requestId: 'abc', deadlineMs: 900 });
    expect(reply).toEqual({
      payload: { text: 'zwölf\n' },
      requestId: 'abc',
      remainingMs: expect.any(Number) as number,
    });
    expect((reply as { remainingMs: number }).remainingMs).toBeGreaterThan(0);
    expect((reply as { remainingMs: number }).remainingMs).toBeLessThanOrEqual(1_000);
  });

  it('a ServiceError keeps its code and details; the text of any other error is hidden', async () => {
    await expect(client.request(fail, { id: 'conflict' }, context)).rejects.toMatchObject({
      code: 'conflict',
      message: 'It is taken.',
      details: { name: ['name is taken'] },
    });
    const error: unknown = await client
      .request(fail, { id: 'secret' }, context)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'internal' });
    expect(String(error)).not.toContain('secret');
  });

  it('a reply of 5 MB arrives whole', async () => {
    const reply = await client.request(big, { n: 5_000_000 }, context);
    expect(reply).toBeInstanceOf(WithBytes);
    expect(reply.value).toEqual({ length: 5_000_000 });
    expect(reply.bytes.equals(Buffer.alloc(5_000_000, '\n'))).toBe(true);
  });

  it('each of 1,000 requests reaches one of two replicas, once', async () => {
    const numbers = Array.from({ length: 1_000 }, (_, n) => n);
    const pending = [...numbers];
    const workers = Array.from({ length: 64 }, async () => {
      for (let n = pending.pop(); n !== undefined; n = pending.pop()) {
        expect(await client.request(count, { n }, context)).toBe(n);
      }
    });
    await Promise.all(workers);
    expect(seen.toSorted((a, b) => a - b)).toEqual(numbers);
  });

  it('a broadcast reaches every replica', async () => {
    await client.broadcast(changed, { id: 'x' });
    await client.request(echo, {}, context);
    await client.request(echo, {}, context);
    expect(received).toEqual(['x', 'x']);
  });

  it('a request fails at its deadline', async () => {
    const started = performance.now();
    await expect(client.request(slow, { n: 2_000 }, { ...context, deadlineMs: 200 })).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
