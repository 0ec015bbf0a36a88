import { messageRevision } from '#contracts';
import { startRedis } from '#dev';
import { eventually } from '#testing';
import { silent, TransportFixture } from '../fixtures/transport.fixture.js';
import { RedisServer, type ServiceClient } from '../index.js';
import { waitForOlderReplicas } from './transport.module.js';

const waiting = 'an earlier version of billing is still running';

let transport: TransportFixture;
let client: ServiceClient;
let replicas: RedisServer[] = [];

beforeEach(async () => {
  transport = new TransportFixture(await startRedis());
  client = await transport.client();
});
afterEach(async () => {
  await Promise.all(replicas.map((replica) => replica.close()));
  replicas = [];
  await transport.stop();
});

async function startBilling(revision: number): Promise<RedisServer> {
  const { url: redisUrl } = transport.redis;
  const replica = new RedisServer({ redisUrl, service: 'billing', logger: silent, revision });
  replica.addHandler('billing.nothing', () => Promise.resolve({}));
  const problem = await new Promise((resolve) => replica.listen(resolve));
  expect(problem).toBeUndefined();
  replicas.push(replica);
  return replica;
}

it('a process waits for the end of the last replica that does not know the messages of this version, and never again', async () => {
  const check = waitForOlderReplicas(client, ['catalog', 'billing']);
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

it('a process does not wait for newer replicas, nor for services without a replica', async () => {
  await startBilling(messageRevision + 1);
  expect(await waitForOlderReplicas(client, ['catalog', 'billing'])()).toBeNull();
});
