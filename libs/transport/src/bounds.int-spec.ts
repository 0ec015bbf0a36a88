import { Redis } from 'ioredis';
import { keys } from './redis/keys.js';
import {
  context,
  settleWork,
  TransportFixture,
  work,
  workWithoutResend,
} from './fixtures/replicas.fixture.js';

describe('the bounds of the transport', () => {
  let fixture: TransportFixture;
  let redis: Redis;

  beforeAll(async () => {
    fixture = await TransportFixture.start();
    redis = new Redis(fixture.redis.url);
  }, 60_000);
  afterEach(() => fixture.reset());
  afterAll(async () => {
    redis.disconnect();
    await fixture.stop();
  });

  /** A replica that renews its lease and takes no work. */
  async function leaseWithoutReader(): Promise<void> {
    const [seconds] = await redis.time();
    await redis.zadd(keys.replicas('catalog'), (Number(seconds) + 60) * 1_000, 'busy');
  }

  it('no replica is alive: unavailable within 100 ms', async () => {
    const client = await fixture.client();
    await client.request(work, { n: 1 }, context).catch(() => undefined);
    const started = performance.now();
    await expect(client.request(work, { n: 1 }, context)).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - started).toBeLessThan(100);
  });

  it('a lease that ran out counts as none', async () => {
    const client = await fixture.client();
    const [seconds] = await redis.time();
    await redis.zadd(keys.replicas('catalog'), Number(seconds) * 1_000 - 1, 'dead');
    await expect(client.request(work, { n: 1 }, context)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('a queue at its bound: unavailable at once, while settlements are still accepted', async () => {
    await leaseWithoutReader();
    const client = await fixture.client({ queueMax: 5 });
    const waiting = Array.from({ length: 5 }, (_, n) =>
      client.request(workWithoutResend, { n }, context).catch((error: { code: string }) => error.code),
    );
    while ((await redis.llen(keys.queue('catalog', 'requests'))) < 5) await redis.ping();
    const started = performance.now();
    await expect(client.request(work, { n: 9 }, context)).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - started).toBeLessThan(100);
    const settlements = Array.from({ length: 20 }, (_, n) => client.request(settleWork, { n }, context));
    while ((await redis.llen(keys.queue('catalog', 'settlements'))) < 20) await redis.ping();
    await fixture.replica();
    expect(await Promise.all(settlements)).toHaveLength(20);
    expect(await Promise.all(waiting)).toHaveLength(5);
  });

  it('a request past its deadline is never run', async () => {
    await leaseWithoutReader();
    const client = await fixture.client();
    const late = client.request(workWithoutResend, { n: 666 }, { ...context, deadlineMs: 50 });
    await expect(late).rejects.toMatchObject({ code: 'deadline_exceeded' });
    expect(await redis.llen(keys.queue('catalog', 'requests'))).toBe(1);
    const replica = await fixture.replica();
    const first = replica.started(1);
    const reply = await client.request(work, { n: 1 }, context);
    await first;
    expect(reply.n).toBe(1);
    expect(await redis.llen(keys.queue('catalog', 'requests'))).toBe(0);
  });

  it('Redis is down: unavailable at once', async () => {
    await fixture.replica();
    const client = await fixture.client();
    fixture.redis.kill('SIGKILL');
    await fixture.redis.exited;
    const started = performance.now();
    await expect(client.request(work, { n: 1 }, context)).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - started).toBeLessThan(100);
  });
});
