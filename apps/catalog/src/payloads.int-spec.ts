import { fieldsOf, importChunk, WithBytes } from '#contracts';
import { type Closable } from '#platform';
import { type RedisServer, startRedis } from '#local-stack';
import { createTestDatabase } from '#testing';
import { ServiceClient } from '#transport';
import { DataSource } from 'typeorm';
import { examples, malformed, toSend } from '../../../libs/contracts/src/examples.fixture.js';
import { catalogMigrationOptions } from './database/data-source.js';
import { migrations } from './database/migrations/index.js';
import { context, logger, startCatalog } from './running-catalog.fixture.js';

const ours = examples.filter(({ contract }) => contract.service === 'catalog');
const described = ours.filter(({ contract }) => fieldsOf(contract.payload).size > 0);

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let redis: RedisServer;
let client: ServiceClient;
let service: Closable;
let admin: DataSource;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase({ name: 'catalog', migrations }), startRedis()]);
  client = new ServiceClient({ redisUrl: redis.url, logger });
  const starting = await startCatalog(redis.url, database.url);
  [admin, service] = await Promise.all([
    new DataSource(catalogMigrationOptions(database.url)).initialize(),
    starting.service,
    client.connect(),
  ]);
});

afterAll(async () => {
  await service?.close();
  await Promise.all([client?.close(), admin?.destroy()]);
  await Promise.all([redis?.stop(), database?.drop()]);
});

/** Everything that a message could have stored. */
async function stored(): Promise<unknown> {
  const tables = ['creators', 'imports', 'import_chunks', 'creator_deletions'];
  const counts = tables.map((table) => `(SELECT count(*) FROM ${table})::integer AS ${table}`);
  return admin.query(`SELECT ${counts.join(', ')}`);
}

describe('the catalog', () => {
  it.each(ours)(
    '$pattern: a field of a wrong type is refused by its name, and nothing is done',
    async (one) => {
      const before = await stored();
      for (const bad of malformed.filter(({ pattern }) => pattern === one.pattern)) {
        await expect(client.request(bad.contract, toSend(bad), context)).rejects.toMatchObject({
          code: 'invalid_request',
          details: { [bad.field]: [expect.stringMatching(`^${bad.field} must be `)] },
        });
      }
      expect(await stored()).toEqual(before);
    },
  );

  it.each(described)('$pattern: refuses a payload that is not an object', async ({ contract, bytes }) => {
    for (const value of [null, 'text', 7, []]) {
      const payload = bytes ? new WithBytes(value, bytes) : value;
      await expect(client.request(contract, payload, context)).rejects.toMatchObject({
        code: 'invalid_request',
        details: { payload: ['the payload must be a JSON object'] },
      });
    }
  });

  it('refuses a chunk without bytes', async () => {
    const chunk = examples.find(({ pattern }) => pattern === importChunk.pattern)?.payload;
    const call = client.request<unknown, unknown>(importChunk, chunk, context);
    await expect(call).rejects.toMatchObject({
      code: 'invalid_request',
      details: { payload: ['the payload must come with bytes'] },
    });
  });

  it.each(ours)('$pattern: accepts what a gateway sends, and what a newer one would send', async (one) => {
    for (const payload of [one.payload, { ...one.payload, newer: { field: [1] } }]) {
      const sent = toSend({ ...one, payload });
      const outcome: unknown = await client.request(one.contract, sent, context).catch((e: unknown) => e);
      expect(outcome).not.toMatchObject({ code: 'invalid_request' });
      expect(outcome).not.toMatchObject({ code: 'internal' });
    }
  });
});
