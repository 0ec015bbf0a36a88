import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { ReplicasFixture, settleWork, work, workWithoutResend } from './fixtures/replicas.fixture.js';
import { context } from './fixtures/transport.fixture.js';
import { type ServiceClient } from './index.js';
import { keys } from './redis/keys.js';

// Processes are started.
jest.setTimeout(30_000);

/** Milliseconds on an idle machine, and far below the deadline on a busy one. */
const atOnceMs = 2_000;

describe('the bounds of the transport', () => {
  let fixture: ReplicasFixture;
  let redis: Redis;
  let client: ServiceClient;

  beforeAll(async () => {
    fixture = await ReplicasFixture.start();
    redis = new Redis(fixture.redis.url);
  }, 60_000);
  beforeEach(async () => (client = await fixture.client({ queueMax: 5 })));
  afterEach(() => fixture.reset());
  afterAll(async () => {
    redis.disconnect();
    await fixture.stop();
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

  it('a request is unavailable at once while no replica is alive', async () => {
    await client.request(work, { n: 1 }, context).catch(() => undefined);
    await expectUnavailableAtOnce();
  });

  it('a replica whose lease ran out does not count as alive', async () => {
    await leaseFor(0);
    await expectUnavailableAtOnce();
  });

  it('a request is unavailable at once while Redis is down', async () => {
    await fixture.replica();
    await fixture.killRedis();
    await expectUnavailableAtOnce();
  });

  it('a full queue refuses requests at once, while settlements are still accepted', async () => {
    await leaseFor(60);
    const requests = Array.from({ length: 5 }, (_, n) =>
      client.request(workWithoutResend, { n }, context).catch((error: { code: string }) => error.code),
    );
    while ((await waiting('requests')) < 5) await redis.ping();
    await expectUnavailableAtOnce();
    const settlements = Array.from({ length: 20 }, (_, n) => client.request(settleWork, { n }, context));
    while ((await waiting('settlements')) < 20) await redis.ping();
    await fixture.replica();
    expect(await Promise.all(settlements)).toHaveLength(20);
    expect(await Promise.all(requests)).toHaveLength(5);
  });

  it("what is sent by Nest's untyped send is in the queue once, also when it is not answered for longer than others wait", async () => {
    await leaseFor(60);
    const sent = client.send(workWithoutResend.pattern, { n: 1 }).subscribe({ error: () => undefined });
    await delay((work.resendAfterMs ?? 0) + 200);
    expect(await waiting('requests')).toBe(1);
    sent.unsubscribe();
  });

  it('a request past its deadline is never run', async () => {
    await leaseFor(60);
    const late = client.request(workWithoutResend, { n: 666 }, { ...context, deadlineMs: 50 });
    await expect(late).rejects.toMatchObject({ code: 'deadline_exceeded' });
    expect(await waiting('requests')).toBe(1);
    const replica = await fixture.replica();
    const first = replica.started(1);
    const reply = await client.request(work, { n: 1 }, context);
    await first;
    expect(reply.n).toBe(1);
    expect(await waiting('requests')).toBe(0);
  });
});
