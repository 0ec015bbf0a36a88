import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { finishImport, getProfile, importChunk, putCreator, searchCreators, WithBytes } from '#contracts';
import { type Closable, createLogger } from '#platform';
import { migrate } from '#platform/database';
import { freePort, type PostgresServer, type RedisServer, startPostgres, startRedis } from '#dev';
import { eventually, killPostgres, readiness, restartPostgres } from '#testing';
import { ServiceClient, startMicroservice } from '#transport';
import { DataSource } from 'typeorm';
import { chunkOf, replaceRules } from './catalog.fixture.js';
import { recordOf } from './creators/creator-records.fixture.js';
import { catalogMigrationOptions } from './data-source.js';
import { readCatalogConfig } from './catalog-config.js';
import { CatalogModule } from './catalog.module.js';

const context = { requestId: 'request' };
const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

/** Built by the set-up of these tests: a thread runs no sources. */
const compiled = pathToFileURL('dist/apps/catalog/src/catalog.module.js').href;

const everything = { limit: 50 };
/** Less than half of the deadline of a request. */
const quicklyMs = 2_000;

let postgres: PostgresServer;
let redis: RedisServer;
let client: ServiceClient;
let service: Closable;
let internalUrl: string;

/** Starts the catalog as deployed, with threads. */
beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  const dataSource = await new DataSource(catalogMigrationOptions(postgres.url())).initialize();
  await migrate(dataSource);
  await dataSource.destroy();
  const port = await freePort();
  const config = readCatalogConfig({
    SERVICE_REDIS_URL: redis.url,
    CATALOG_DATABASE_URL: postgres.url(),
    SITE_URL: 'https://site.example/',
    INTERNAL_PORT: String(port),
    LOG_LEVEL: 'fatal',
  });
  internalUrl = `http://127.0.0.1:${port}`;
  service = await startMicroservice(CatalogModule.forRoot(config, logger, compiled), logger);
  client = new ServiceClient({ redisUrl: redis.url, logger });
  await client.connect();
});

afterAll(async () => {
  await service?.close();
  await client?.close();
  await Promise.all([postgres?.stop(), redis?.stop()]);
});

describe('the catalog', () => {
  it('stores and finds creators, with its threads', async () => {
    const chunk = { import_id: randomUUID(), seq: 0, first_line: 1, ...replaceRules };
    const bytes = chunkOf([JSON.stringify(recordOf('one')), 'bad', JSON.stringify(recordOf('two'))]);
    expect(await client.request(importChunk, new WithBytes(chunk, bytes), context)).toMatchObject({
      created: 2,
      rejected: 1,
      errors: [{ line: 2, error: 'the line is not valid JSON' }],
    });
    expect(await client.request(finishImport, chunk, context)).toEqual({ finished: true });
    const found = await eventually(async () => {
      const reply = await client.request(searchCreators, { q: 'name of', limit: 1 }, context);
      expect(reply.value).toMatchObject({ total: 2, returned: 1, next: { slug: 'one' } });
      return reply;
    }, 5_000);
    expect(JSON.parse(found.bytes.toString())).toMatchObject([
      { slug: 'one', url: 'https://site.example/creators/one' },
    ]);
  });

  it('keeps searching while PostgreSQL is down, answers all else with unavailable, quickly, and recovers', async () => {
    await killPostgres(postgres);
    expect((await client.request(searchCreators, everything, context)).value.total).toBe(2);
    const requests = [
      () => client.request(getProfile, { slug: 'one' }, context),
      () => client.request(putCreator, { slug: 'one', record: recordOf('one') }, context),
      () =>
        client.request(
          importChunk,
          new WithBytes({ import_id: randomUUID(), seq: 0, first_line: 1, ...replaceRules }, chunkOf(['{}'])),
          context,
        ),
    ];
    for (const request of requests) {
      const started = performance.now();
      await expect(request()).rejects.toMatchObject({ code: 'unavailable' });
      expect(performance.now() - started).toBeLessThan(quicklyMs);
    }
    expect((await readiness(internalUrl)).status).toBe(503);

    await restartPostgres(postgres);
    const { value } = await eventually(() => client.request(getProfile, { slug: 'one' }, context), 2_000);
    expect(value.found).toBe(true);
    await client.request(putCreator, { slug: 'three', record: recordOf('three') }, context);
    await eventually(
      async () => expect((await client.request(searchCreators, everything, context)).value.total).toBe(3),
      5_000,
    );
    // Writing is tried from time to time.
    await eventually(async () => expect(await readiness(internalUrl)).toMatchObject({ status: 200 }), 20_000);
  }, 60_000);
});
