import { messageRevision } from '@app/contracts';
import { createLogger } from '@app/platform';
import { type RedisServer as Redis, startRedis } from '@app/local-stack';
import { eventually } from '@app/testing';
import { RedisServer } from '../server/redis-server.js';
import { ServiceClient } from '../client/service-client.js';
import { untilNoneIsOlder } from './transport.module.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
const waiting = 'an earlier version of billing is still running';

let redis: Redis;
let client: ServiceClient;
let replicas: RedisServer[] = [];

beforeEach(async () => {
  redis = await startRedis();
  client = new ServiceClient({ redisUrl: redis.url, logger });
  await client.connect();
});

afterEach(async () => {
  await Promise.all(replicas.map((replica) => replica.close()));
  replicas = [];
  await client.close();
  await redis.stop();
});

async function startBilling(revision: number): Promise<RedisServer> {
  const replica = new RedisServer({ redisUrl: redis.url, service: 'billing', logger, revision });
  replica.addHandler('billing.nothing', () => Promise.resolve({}));
  const problem = await new Promise((resolve) => replica.listen(resolve));
  expect(problem).toBeUndefined();
  replicas.push(replica);
  return replica;
}

it('waits for the end of the last replica that does not know the messages of this version, and never again', async () => {
  const check = untilNoneIsOlder(client, ['catalog', 'billing']);
  const old = await startBilling(messageRevision - 1);
  expect(await check()).toBe(waiting);
  await startBilling(messageRevision);
  expect(await check()).toBe(waiting);
  await old.close();
  await eventually(async () => expect(await check()).toBeNull(), 5_000);

  await startBilling(messageRevision - 1);
  expect(await client.hasOlderReplica('billing')).toBe(true);
  expect(await check()).toBeNull();
});

it('does not wait for newer ones, nor for services without a replica', async () => {
  await startBilling(messageRevision + 2);
  expect(await untilNoneIsOlder(client, ['catalog', 'billing'])()).toBeNull();
});
