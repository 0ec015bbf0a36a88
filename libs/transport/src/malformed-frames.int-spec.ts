import { broadcast, message, NoPayload } from '#contracts';
import { startRedis } from '#dev';
import { Controller } from '@nestjs/common';
import { EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { propertyRuns } from '#testing/random';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { context, Named, Numbered, TransportFixture } from './fixtures/transport.fixture.js';
import { decodeFrame, type RequestFrame } from './frames.js';
import { type ServiceClient } from './index.js';
import { keys } from './redis/keys.js';

// Hundreds of random frames, some of which are waited for.
jest.setTimeout(30_000);

const ask = message<Numbered, unknown>('catalog', 'ask', Numbered, { resendAfterMs: null });
const double = message<Numbered, number>('billing', 'double', Numbered);
const large = message<NoPayload, unknown>('billing', 'large', NoPayload, { resendAfterMs: null });
const changed = broadcast<Named>('test.changed', Named);
const requests = keys.queue('catalog', 'gateway', 'requests');

let transport: TransportFixture;
/** Publishes and reads by redis. */
let redis: Redis;
let client: ServiceClient;

beforeAll(async () => {
  transport = new TransportFixture(await startRedis());
  redis = new Redis(transport.redis.url);
  client = await transport.client();
});
afterAll(async () => {
  redis?.disconnect();
  await transport?.stop();
});

/** Takes the next request from the queue of the catalog. */
async function nextRequest(): Promise<RequestFrame> {
  const [, item] = (await redis.brpopBuffer(requests, 5)) ?? [];
  if (!item) throw new Error('no request came');
  return decodeFrame<RequestFrame>(item.subarray(item.indexOf(' ') + 1));
}

/** Bytes that may look like a frame, or not at all. */
function frames(id: string): fc.Arbitrary<Buffer> {
  const error = fc.record({ code: fc.jsonValue(), message: fc.jsonValue(), details: fc.jsonValue() });
  const frame = fc.oneof(
    fc.record({ id: fc.oneof(fc.constant(id), fc.jsonValue()) }),
    fc.record({ id: fc.constant(id), error: fc.jsonValue(), data: fc.jsonValue() }, { requiredKeys: ['id'] }),
    fc.record({ id: fc.constant(id), error }),
  );
  const text = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }),
    frame.map((value) => JSON.stringify(value)),
  );
  const bytes = fc.oneof(
    text.map((line) => Buffer.from(line)),
    fc.uint8Array().map((array) => Buffer.from(array)),
  );
  return fc.tuple(bytes, fc.option(fc.uint8Array())).map(([line, more]) => {
    return more === null ? line : Buffer.concat([line, Buffer.from('\n'), Buffer.from(more)]);
  });
}

describe('a client that receives malformed frames', () => {
  /** A service that is alive; the test answers in its place. */
  beforeAll(() => redis.zadd(keys.replicas('catalog'), 1e15, 'the test'));
  beforeEach(() => redis.del(requests));

  /** The outcome of a request that is answered with these frames, as far as there are any. */
  async function answered(
    withFrames: (id: string) => readonly (Buffer | string)[],
    deadlineMs = 5_000,
  ): Promise<unknown> {
    const outcome = client.request(ask, { n: 1 }, { ...context, deadlineMs }).then(
      (data) => ({ data }),
      (error: unknown) => error,
    );
    const { id, replyTo } = await nextRequest();
    for (const frame of withFrames(id)) await redis.spublish(replyTo, frame);
    return outcome;
  }

  it('gives every call its data or an error with a known code, whatever the answer', async () => {
    const codes = ['internal', 'unavailable', 'deadline_exceeded', 'not_found', 'conflict'];
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (gen) => {
        // A frame that is no answer is ignored; the right answer comes after it.
        const outcome = await answered((id) => [gen(() => frames(id)), JSON.stringify({ id, data: 1 })]);
        if (typeof outcome === 'object' && outcome !== null && 'data' in outcome) return;
        expect(outcome).toMatchObject({
          name: 'ServiceError',
          code: expect.stringMatching(new RegExp(codes.join('|'))) as string,
          message: expect.stringMatching(/\S/) as string,
        });
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  it.each([
    ['no error and no data', {}],
    ['an error whose code every object has', { error: { code: 'constructor', message: 'It is taken.' } }],
    ['an error without a message', { error: { code: 'conflict' } }],
    [
      'an error with invalid details',
      { error: { code: 'conflict', message: 'It is taken.', details: { name: 5 } } },
    ],
  ])('fails a call at once when its answer has %s', async (_what, reply) => {
    const startedAt = performance.now();
    const outcome = await answered((id) => [JSON.stringify({ id, ...reply })], 20_000);
    expect(outcome).toMatchObject({
      name: 'ServiceError',
      code: 'internal',
      message: 'Something went wrong on our side; try again shortly.',
    });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  it('ignores anything larger than an answer may be', async () => {
    const text = 'x'.repeat(70 * 1024 * 1024);
    const outcome = await answered((id) => [JSON.stringify({ id, data: text })], 2_000);
    expect(outcome).toMatchObject({ code: 'deadline_exceeded' });
  });

  it('never accepts the answer of another client, although both number their requests alike', async () => {
    const [one, two] = [await transport.client(), await transport.client()];
    const replies = [one.request(ask, { n: 1 }, context), two.request(ask, { n: 2 }, context)];
    const ids: string[] = [];
    while (ids.length < replies.length) {
      const { id, replyTo, data } = await nextRequest();
      ids.push(id);
      await redis.spublish(replyTo, JSON.stringify({ id, data }));
    }
    expect(ids[0]).toBe(ids[1]);
    expect(await Promise.all(replies)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('accepts an answer only from the service that it has called', async () => {
    const answer = client.request(ask, { n: 1 }, context);
    const { id, replyTo } = await nextRequest();
    expect(replyTo).toMatch(/^rpc:reply:catalog:/);
    const reply = (data: string): string => JSON.stringify({ id, data });
    await redis.spublish(replyTo.replace('catalog', 'billing'), reply('of billing'));
    await redis.spublish(replyTo, reply('of the catalog'));
    expect(await answer).toBe('of the catalog');
  });
});

describe('a service that receives malformed frames', () => {
  const received: string[] = [];

  @Controller()
  class Handlers {
    @MessagePattern(double.pattern)
    double(@Payload() { n }: { n: number }): number {
      return 2 * n;
    }

    @MessagePattern(large.pattern)
    large(): string {
      return 'x'.repeat(70 * 1024 * 1024);
    }

    @EventPattern<Record<string, { id: string }>>(changed.event)
    changed(@Payload() { id }: { id: string }): void {
      received.push(id);
    }
  }

  beforeAll(() => transport.service(Handlers, 'billing'));

  const deadline = String(Date.now() + 3_600_000);
  const requestLike = fc
    .record(
      {
        id: fc.jsonValue(),
        pattern: fc.oneof(fc.constant(double.pattern), fc.constant(changed.event), fc.jsonValue()),
        replyTo: fc.oneof(fc.constant('rpc:reply:nobody'), fc.jsonValue()),
        requestId: fc.jsonValue(),
        traceparent: fc.jsonValue(),
        budgetMs: fc.jsonValue(),
        data: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((frame) => Buffer.from(JSON.stringify(frame)));

  it('continues to answer, whatever is in its queues', async () => {
    const items = fc.tuple(
      fc.oneof(fc.constant(`${deadline} `), fc.constant('NaN '), fc.constant(''), fc.string()),
      fc.oneof(requestLike, frames('1')),
    );
    await fc.assert(
      fc.asyncProperty(items, fc.integer(), async ([prefix, frame], n) => {
        const item = Buffer.concat([Buffer.from(prefix), frame]);
        for (const queue of ['requests', 'settlements'] as const) {
          await redis.lpush(keys.queue('billing', 'gateway', queue), item);
        }
        expect(await client.request(double, { n }, context)).toBe(2 * n);
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  it('continues to receive, whatever is broadcast', async () => {
    const channel = keys.broadcastChannel(changed.event);
    await fc.assert(
      fc.asyncProperty(frames('1'), fc.uuid(), async (noise, id) => {
        await redis.spublish(channel, noise);
        await redis.spublish(channel, JSON.stringify({ id }));
        while (received.at(-1) !== id) await redis.ping();
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  it('fails a call at once when its answer would be too large to read', async () => {
    const call = client.request(large, {}, { ...context, deadlineMs: 20_000 });
    await expect(call).rejects.toMatchObject({ code: 'internal' });
  });
});
