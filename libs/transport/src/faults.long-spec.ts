import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { ReplicasFixture, work, workWithoutResend } from './fixtures/replicas.fixture.js';
import { context } from './fixtures/transport.fixture.js';
import { type ServiceClient } from './index.js';

// Processes are started.
jest.setTimeout(30_000);

describe('the transport under faults', () => {
  let fixture: ReplicasFixture;
  let client: ServiceClient;

  beforeAll(async () => {
    fixture = await ReplicasFixture.start();
  }, 60_000);
  beforeEach(async () => (client = await fixture.client()));
  afterEach(() => fixture.reset());
  afterAll(() => fixture.stop());

  it('no request fails when one of two replicas is killed with 40 in flight', async () => {
    const [victim, survivor] = [await fixture.replica(), await fixture.replica()];
    const running = victim.started(1);
    const requests = Array.from({ length: 40 }, (_, n) => client.request(work, { n, ms: 400 }, context));
    await running;
    await victim.end('SIGKILL');
    const replies = await Promise.all(requests);
    expect(replies.map(({ n }) => n)).toEqual(Array.from({ length: 40 }, (_, n) => n));
    expect(replies.filter(({ pid }) => pid === survivor.pid)).toHaveLength(40);
  });

  it('no request fails when the only replica is killed and replaced within a second', async () => {
    const victim = await fixture.replica();
    const running = victim.started(10);
    const before = Array.from({ length: 10 }, (_, n) => client.request(work, { n, ms: 300 }, context));
    await running;
    await victim.end('SIGKILL');
    const between = Array.from({ length: 10 }, (_, n) => client.request(work, { n }, context));
    await fixture.replica();
    expect(await Promise.all([...before, ...between])).toHaveLength(20);
  });

  it('everything recovers by itself after Redis was restarted empty', async () => {
    await fixture.replica();
    await client.request(work, { n: 1 }, context);
    await fixture.redis.restart();
    const healed = async (): Promise<number> => {
      try {
        return (await client.request(work, { n: 2 }, { ...context, deadlineMs: 500 })).n;
      } catch {
        // A refusal comes at once, so the connection needs a turn of the event loop to come back.
        await setImmediate();
        return healed();
      }
    };
    const restartedAt = performance.now();
    expect(await healed()).toBe(2);
    expect(performance.now() - restartedAt).toBeLessThan(5_000);
    await Promise.all(Array.from({ length: 100 }, (_, n) => client.request(work, { n }, context)));
  });

  it('a request whose reply was lost with Redis is resent once Redis is back, even after a while', async () => {
    const replica = await fixture.replica();
    const running = replica.started(1);
    const request = client.request(work, { n: 1, ms: 200 }, context);
    await running;
    await fixture.killRedis();
    await delay(1_500);
    await fixture.redis.restart();
    expect(await request).toMatchObject({ n: 1 });
  });

  it.each([300_000, -300_000])(
    'a replica on a host whose clock is %i ms off answers like any other',
    async (skewMs) => {
      await fixture.replica(skewMs);
      const reply = await client.request(work, { n: 1 }, { ...context, deadlineMs: 1_000 });
      expect(reply.n).toBe(1);
    },
  );

  it('a caller that disconnects does not disturb other callers', async () => {
    const replica = await fixture.replica();
    const gone = await fixture.client();
    const running = replica.started(20);
    const requests = Array.from({ length: 20 }, (_, n) => gone.request(work, { n, ms: 50 }, context));
    const abandoned = Promise.allSettled(requests);
    await running;
    await gone.close();
    expect((await abandoned).every(({ status }) => status === 'rejected')).toBe(true);
    expect(await client.request(work, { n: 7 }, context)).toMatchObject({ n: 7 });
  });

  it('a replica that stops gracefully finishes the requests it has taken; queued ones wait for the next replica', async () => {
    const stopping = await fixture.replica();
    const running = stopping.started(30);
    const taken = Array.from({ length: 30 }, (_, n) =>
      client.request(workWithoutResend, { n, ms: 500 }, context),
    );
    await running;
    const stopped = stopping.end('SIGTERM');
    expect(await Promise.all(taken)).toHaveLength(30);
    await stopped;
    const queued = Array.from({ length: 10 }, (_, n) => client.request(workWithoutResend, { n }, context));
    const next = await fixture.replica();
    const pids = (await Promise.all(queued)).map(({ pid }) => pid);
    expect(new Set(pids)).toEqual(new Set([next.pid]));
  });
});
