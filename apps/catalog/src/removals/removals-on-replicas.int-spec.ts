import { randomUUID } from 'node:crypto';
import {
  getProfile,
  importChunk,
  lookUpAccounts,
  removeCreator,
  searchCreators,
  WithBytes,
} from '#contracts';
import { type Closable } from '#platform';
import { type RedisServer, startRedis } from '#local-stack';
import { createTestDatabase, eventually } from '#testing';
import { ServiceClient } from '#transport';
import { chunkOf } from '../catalog.fixture.js';
import { accountOf, recordOf } from '../creators/creator-records.fixture.js';
import { migrations } from '../database/migrations/index.js';
import { context, logger, startCatalog } from '../running-catalog.fixture.js';

const record = recordOf('ada', { platforms: [accountOf({ handle: 'ada' })] });

/** A replica behind a Redis of its own, so that a request reaches this one. */
class Replica {
  private redis: RedisServer;
  private client: ServiceClient;
  private service: Closable;

  constructor(
    private readonly databaseUrl: string,
    private readonly engine: string,
  ) {}

  async start(): Promise<this> {
    this.redis = await startRedis();
    this.client = new ServiceClient({ redisUrl: this.redis.url, logger });
    const environment = { SEARCH_ENGINE: this.engine };
    const { service } = await startCatalog(this.redis.url, this.databaseUrl, environment);
    [this.service] = await Promise.all([service, this.client.connect()]);
    return this;
  }

  async stop(): Promise<void> {
    await this.service?.close();
    await this.client?.close();
    await this.redis?.stop();
  }

  request: ServiceClient['request'] = (contract, payload) => this.client.request(contract, payload, context);

  import(...records: object[]) {
    const chunk = { import_id: randomUUID(), seq: 0, first_line: 1 };
    const bytes = chunkOf(records.map((each) => JSON.stringify(each)));
    return this.request(importChunk, new WithBytes(chunk, bytes), context);
  }

  /** How often the creator is seen: by a search, a look-up and a profile. */
  async seen(): Promise<readonly [number, string | null | undefined, boolean]> {
    const [search, lookup, profile] = await Promise.all([
      this.request(searchCreators, { q: 'ada', limit: 1 }, context),
      this.request(lookUpAccounts, { accounts: [{ platform: 'youtube', handle: '@ada' }] }, context),
      this.request(getProfile, { slug: 'ada' }, context),
    ]);
    return [search.value.total, lookup.results[0]?.slug, profile.value.found];
  }
}

describe.each(['bitmap', 'sql'])('with SEARCH_ENGINE=%s', (engine) => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let replicas: readonly [Replica, Replica];

  beforeAll(async () => {
    database = await createTestDatabase({ name: 'catalog', migrations });
    const start = () => new Replica(database.url, engine).start();
    replicas = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await Promise.all((replicas ?? []).map((replica) => replica.stop()));
    await database?.drop();
  });

  const everywhere = () => Promise.all(replicas.map((replica) => replica.seen()));

  it('a removal takes effect on every replica within a second, and after a restart', async () => {
    const [one, two] = replicas;
    await one.import(record, recordOf('other'));
    const shown = [1, 'ada', true];
    await eventually(async () => expect(await everywhere()).toEqual([shown, shown]), 5_000);

    await one.request(removeCreator, { slug: 'ada', reference: 'r' }, context);
    const gone = [0, null, false];
    await eventually(async () => expect(await everywhere()).toEqual([gone, gone]), 1_000);

    expect(await two.import({ ...record, slug: 'ada-again' })).toMatchObject({ created: 0, removed: 1 });
    await two.stop();
    await two.start();
    expect(await two.seen()).toEqual(gone);
    expect(await two.import(record)).toMatchObject({ created: 0, removed: 1 });
    expect(await everywhere()).toEqual([gone, gone]);
  }, 30_000);
});
