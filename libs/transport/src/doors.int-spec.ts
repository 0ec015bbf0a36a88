import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { message, NoPayload } from '#contracts';
import { type RedisServer as RedisInstance, startRedis } from '#dev';
import { PlatformModule } from '#platform';
import { makeSecrets, secret } from '#testing';
import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { Test, type TestingModule } from '@nestjs/testing';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { context, silent, TransportFixture } from './fixtures/transport.fixture.js';
import { RedisHealth, ServiceClient, TransportModule } from './index.js';
import { keys } from './redis/keys.js';

const options = { resendAfterMs: null, deadlineMs: 60_000 };
/** Two messages; the website may send the first. */
const getSession = message<NoPayload, string>('billing', 'get_session', NoPayload, options);
const charge = message<NoPayload, string>('billing', 'charge', NoPayload, options);
const adjust = message<NoPayload, string>('billing', 'adjust', NoPayload, options);
/** Requests of the website at once in one replica. */
const websiteConcurrency = 24;
const queueMax = 20;

let ran: string[] = [];
let isReleased = Promise.resolve();

@Controller()
class Handlers {
  @MessagePattern(getSession.pattern)
  async getSession(): Promise<string> {
    ran.push(getSession.pattern);
    await isReleased;
    return 'a session';
  }

  @MessagePattern(charge.pattern)
  charge(): string {
    ran.push(charge.pattern);
    return 'charged';
  }

  @MessagePattern(adjust.pattern)
  adjust(): never {
    throw Object.assign(new Error('No space left on device'), { code: '53100' });
  }
}

const written = new PassThrough({ encoding: 'utf8' });
let redis: RedisInstance;
let transport: TransportFixture<{ readonly url: string; stop(): Promise<void> }>;
let gateway: ServiceClient;
let app: TestingModule;
let website: ServiceClient;
let flooding: ServiceClient;
/** Commands of the users of Redis that deploy/compose makes. */
let byWebsite: Redis;
let byBilling: Redis;

beforeAll(async () => {
  const secrets = await makeSecrets();
  redis = await startRedis({ settings: { aclfile: join(secrets, 'redis_users') } });
  const urlOf = (user: string): string =>
    `redis://${user}:${secret(secrets, `${user}_redis_password`)}@127.0.0.1:${redis.port}`;
  [byWebsite, byBilling] = [new Redis(urlOf('website')), new Redis(urlOf('billing'))];
  transport = new TransportFixture({ url: urlOf('billing'), stop: () => redis.stop() }, pino({}, written));
  gateway = await transport.client({ redisUrl: urlOf('gateway') });
  flooding = await transport.client({ redisUrl: urlOf('website'), door: 'website', queueMax });
  await transport.service(Handlers, 'billing');
  const config = { SERVICE_REDIS_URL: urlOf('website'), INTERNAL_HOST: '127.0.0.1', INTERNAL_PORT: 0 };
  app = await Test.createTestingModule({
    imports: [
      PlatformModule.forRoot(config, silent),
      TransportModule.forRoot({ door: 'website', callsServices: ['billing'] }),
    ],
  }).compile();
  website = app.get(ServiceClient);
}, 30_000);
afterAll(async () => {
  for (const connection of [byWebsite, byBilling]) connection?.disconnect();
  await app?.close();
  await transport?.stop();
});
beforeEach(() => (ran = []));

it('a program that receives nothing is healthy, and its requests are answered', async () => {
  expect(await app.get(RedisHealth).check()).toBeNull();
  expect(await website.request(getSession, {}, context)).toBe('a session');
});

it('a message that may not come through the door of the website is refused, not run, and logged once a second at most', async () => {
  const startedAt = performance.now();
  const asked = Array.from({ length: 50 }, () => website.request(charge, {}, context).catch(codeOf));
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['forbidden']));
  expect(ran).toEqual([]);
  const lines = String(written.read())
    .split('\n')
    .filter((line) => line.includes('may not come'));
  expect(lines.length).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 1_000);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ door: 'website', pattern: charge.pattern });
  expect(await gateway.request(charge, {}, context)).toBe('charged');
});

it('why a database takes no writes is logged, once a second at most, and shown to operators only', async () => {
  const refused = (operator?: { id: string; name: string }): Promise<{ details?: object }> =>
    gateway.request(adjust, {}, { ...context, operator }).then(
      () => ({}),
      (error: { details?: object }) => error,
    );
  const [byOperator, ...others] = await Promise.all([
    refused({ id: 'one', name: 'Ada' }),
    refused(),
    refused(),
  ]);
  expect(byOperator).toMatchObject({ code: 'unavailable', details: { database: ['disk full'] } });
  expect(others.map(({ details }) => details)).toEqual([undefined, undefined]);
  const lines = String(written.read()).split('\n');
  expect(lines.filter((line) => line.includes('No space left'))).toHaveLength(1);
});

// What each user of Redis may not do: test/operations/deployed.ops-spec.ts.
it('the website cannot have its requests answered to a gateway', async () => {
  const frame = { id: '1', pattern: getSession.pattern, requestId: 'forged', data: {} };
  const replyTo = keys.replyChannel('billing', 'gateway', 'one');
  const forged = `${Date.now() + 60_000} ${JSON.stringify({ ...frame, replyTo })}`;
  await byWebsite.lpush(keys.queue('billing', 'website', 'requests'), forged);
  await website.request(getSession, {}, context);
  expect(ran).toEqual([getSession.pattern]);
});

it("charges are answered at once while the website's queue is full and all that may run of it hangs", async () => {
  let release = (): void => undefined;
  isReleased = new Promise((resolve) => (release = resolve));
  const queue = keys.queue('billing', 'website', 'requests');
  const flood: Promise<unknown>[] = [];
  try {
    while (ran.length < websiteConcurrency || (await byBilling.llen(queue)) < queueMax) {
      flood.push(flooding.request(getSession, {}, context).catch(codeOf));
      await byBilling.ping();
    }
    expect(await flooding.request(getSession, {}, context).catch(codeOf)).toBe('unavailable');
    for (let call = 0; call < 100; call++) {
      expect(await gateway.request(charge, {}, { ...context, deadlineMs: 1_000 })).toBe('charged');
    }
    expect(ran.filter((pattern) => pattern === getSession.pattern)).toHaveLength(websiteConcurrency);
  } finally {
    release();
  }
  expect(new Set(await Promise.all(flood))).toContain('a session');
});

function codeOf(error: { code: string }): string {
  return error.code;
}
