import { message, NoPayload, type ServiceName } from '@app/contracts';
import { createLogger } from '@app/platform';
import { type RedisServer as RedisInstance, startRedis } from '@app/local-stack';
import { Redis } from 'ioredis';
import { decodeFrame, type RequestFrame } from '../frames.js';
import { ServiceClient } from '../index.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const ask = message<NoPayload, string>('catalog', 'ask', NoPayload, { resendAfterMs: null });

let server: RedisInstance;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
  await redis.zadd('rpc:{catalog}:replicas', Date.now() + 600_000, 'a replica');
});

afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

async function connect(callsServices?: readonly ServiceName[]): Promise<ServiceClient> {
  const client = new ServiceClient({
    redisUrl: server.url,
    logger,
    ...(callsServices ? { callsServices } : {}),
  });
  await client.connect();
  return client;
}

/** What lies in the queue of the catalog. */
async function nextRequest(): Promise<RequestFrame> {
  const taken = await redis.blmpopBuffer(5, 1, 'rpc:{catalog}:requests', 'RIGHT');
  const item = taken?.[1][0];
  if (!item) throw new Error('no request came');
  return decodeFrame<RequestFrame>(item.subarray(item.indexOf(' ') + 1));
}

describe('a client', () => {
  it('accepts a reply only from the service that it has asked, and survives malformed ones', async () => {
    const client = await connect();
    const answer = client.request(ask, {}, { requestId: 'request' });
    const { id, replyTo } = await nextRequest();
    expect(replyTo).toMatch(/^rpc:reply:catalog:/);
    const replies = (data: string): string => JSON.stringify({ id, data });
    await redis.spublish(replyTo.replace('catalog', 'billing'), replies('of billing'));
    for (const malformed of ['', 'null', '{', '[]', '{"id":7}']) await redis.spublish(replyTo, malformed);
    await redis.spublish(replyTo, replies('of the catalog'));
    expect(await answer).toBe('of the catalog');
    await client.close();
  });

  it('that sends no requests is subscribed to no replies', async () => {
    const client = await connect([]);
    expect(await redis.pubsub('SHARDCHANNELS', 'rpc:reply:*')).toEqual([]);
    await expect(client.request(ask, {}, { requestId: 'request' })).rejects.toThrow(
      'is not configured for catalog',
    );
    await client.close();
  });
});
