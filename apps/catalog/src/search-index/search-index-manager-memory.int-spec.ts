import { createLogger } from '#platform';
import { TransactionRunner } from '#platform/database';
import { until } from '#testing';
import { IndexBuild } from './index-build.js';
import { IndexMemory } from './index-memory.js';
import { type KeptIndex, useKeptCatalog } from './kept-index.fixture.js';

const kept = useKeptCatalog();
const logger = createLogger({ service: 'catalog', level: 'silent', pretty: false });

const names = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, number) => `${letter}-${String(number).padStart(4, '0')}`);

const replicaWith = (bytes: number, options = {}): Promise<KeptIndex> =>
  kept().replica({ memory: new IndexMemory(bytes, logger), ...options });

/** What the index of the stored creators takes when it has just been built. */
async function bytesOfIndex(): Promise<number> {
  const index = await kept().replica();
  await index.open();
  const bytes = index.manager.index?.bytes ?? 0;
  await index.close();
  return bytes;
}

describe('a start', () => {
  it('without memory for the creators is refused, with what to do', async () => {
    await kept().importSlugs(...names('a', 400));
    const bytes = await bytesOfIndex();
    const index = await replicaWith(bytes - 1);
    await expect(index.open()).rejects.toThrow(
      /^The index does not fit into memory: about 400 creators need .* INDEX_MEMORY_MB.*SEARCH_ENGINE=sql\.$/,
    );
    expect(index.manager.index).toBeNull();
  });

  it('with just as much memory as it needs answers', async () => {
    await kept().importSlugs(...names('a', 400));
    const index = await replicaWith(await bytesOfIndex());
    await index.open();
    expect((await index.found()).total).toBe(400);
  });

  it('does not load a copy that is too large: without its deleted creators the index fits', async () => {
    await kept().importSlugs(...names('a', 400));
    const saving = await kept().replica({ snapshots: kept().snapshots, snapshotEveryMs: 5 });
    await saving.open();
    await until(async () => (await kept().savedState())?.revision === (await kept().state()).revision);
    await saving.close();
    await kept().fixture.query("DELETE FROM creators WHERE slug >= 'a-0100'");
    const index = await replicaWith(await bytesOfIndex(), { snapshots: kept().snapshots });
    await index.open();
    expect(index.builder.readings).toBe(1);
    expect((await index.found()).total).toBe(100);
  });

  it('expects as many creators as are published, by the statistics of PostgreSQL', async () => {
    await kept().importSlugs(...names('a', 400));
    await kept().fixture.query("UPDATE creators SET published = slug < 'a-0300'");
    await kept().fixture.query('ANALYZE creators');
    const build = new IndexBuild(
      new TransactionRunner(kept().fixture.dataSource).query,
      new IndexMemory(1e9, logger),
      logger,
    );
    await build.prepare();
    expect(build.expected.creators).toBe(300);
    expect(build.expected.bytes / 300).toBeCloseTo(322);
  });
});

describe('while it runs, an index', () => {
  it('that has reached its limit says so, until there is room again', async () => {
    await kept().importSlugs(...names('a', 400));
    const index = await replicaWith((await bytesOfIndex()) * 2);
    await index.open();
    expect(index.manager.full).toBeNull();
    await kept().importSlugs(...names('b', 900));
    await until(() => index.manager.full !== null);
    expect(index.manager.full).toMatch(/^the index is full \(1300 creators, limit /);
    expect((await index.found()).total).toBe(1_300);
    await kept().fixture.query(`
      WITH state AS (UPDATE catalog_state SET revision = revision + 1 RETURNING revision)
      UPDATE creators SET published = false, revision = state.revision FROM state WHERE slug >= 'b-'`);
    await until(() => index.manager.full === null);
  });

  const otherCatalog = 'UPDATE catalog_state SET catalog_id = gen_random_uuid()';

  /** Whether the old index still answers when a new one is being read. */
  async function answersMeanwhile(index: KeptIndex): Promise<boolean> {
    await index.open();
    const read = index.builder.read.bind(index.builder);
    let answered: boolean | undefined;
    jest.spyOn(index.builder, 'read').mockImplementationOnce((progress) => {
      answered = index.manager.index !== null;
      return read(progress);
    });
    await kept().fixture.query(otherCatalog);
    await until(() => answered !== undefined && index.manager.index !== null);
    expect((await index.found()).total).toBe(400);
    return answered === true;
  }

  it('that is rebuilt answers meanwhile where there is memory for two', async () => {
    await kept().importSlugs(...names('a', 400));
    await kept().fixture.query('ANALYZE creators');
    expect(await answersMeanwhile(await replicaWith((await bytesOfIndex()) * 3))).toBe(true);
  });

  it('that is rebuilt where there is none is dropped first, and answers afterwards', async () => {
    await kept().importSlugs(...names('a', 400));
    await kept().fixture.query('ANALYZE creators');
    const index = await replicaWith((await bytesOfIndex()) * 1.5);
    expect(await answersMeanwhile(index)).toBe(false);
    await kept().importSlugs('b');
    await until(async () => (await index.found()).total === 401);
  });

  it('that was dropped is read again after a failure', async () => {
    await kept().importSlugs(...names('a', 400));
    await kept().fixture.query('ANALYZE creators');
    const index = await replicaWith((await bytesOfIndex()) * 1.5);
    await index.open();
    const failed = jest.spyOn(index.builder, 'read').mockRejectedValueOnce(new Error('not now'));
    await kept().fixture.query(otherCatalog);
    await until(() => failed.mock.calls.length === 2 && index.manager.index !== null);
    expect((await index.found()).total).toBe(400);
  });
});
