import { runInThisContext } from 'node:vm';
import { changesPerSegment } from '#creator-index';
import { until } from '#testing';
import { recordOf } from '../creators/creator-records.fixture.js';
import { replaceRules } from '../catalog.fixture.js';
import { IndexMemory } from './index-memory.js';
import { type KeptIndex, liveInSegments, useKeptCatalog } from './kept-index.fixture.js';

// Writers and connections that are cut off take some seconds on a busy machine.
jest.setTimeout(30_000);

const kept = useKeptCatalog();

/** The state of the catalog after a backup was restored, for example. */
const otherStates = [
  { title: 'another catalog', sql: 'UPDATE catalog_state SET catalog_id = gen_random_uuid()' },
  { title: 'an older state', sql: 'UPDATE catalog_state SET revision = revision - 1' },
  {
    title: 'deletions that were dropped before they were read',
    sql: 'UPDATE catalog_state SET revision = revision + 5, forgotten_revision = revision + 4',
  },
];

const names = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, number) => `${letter}-${String(number).padStart(4, '0')}`);

async function openReplica(options?: Parameters<ReturnType<typeof kept>['replica']>[0]): Promise<KeptIndex> {
  const index = await kept().replica(options);
  await index.open();
  return index;
}

async function untilFound(index: KeptIndex, slugs: readonly string[]): Promise<void> {
  await until(async () => (await index.found()).slugs.join() === slugs.join());
  expect((await index.found()).total).toBe(slugs.length);
}

describe('changes that others make', () => {
  it('are not skipped when many writers commit at once on several connections', async () => {
    const index = await kept().replica({ followEveryMs: 1 });
    expect(index.manager.missing).toBe('not loaded yet');
    await expect(index.found()).rejects.toMatchObject({ code: 'unavailable' });
    await kept().importSlugs(...names('c', 30));
    await index.open();
    const { imports, creators } = kept().fixture;
    const line = (slug: string, name: string): Buffer =>
      Buffer.from(`${JSON.stringify(recordOf(slug, { name }))}\n`);
    const writers = Array.from({ length: 10 }, async (_, writer) => {
      for (let round = 0; round < 5; round++) {
        const own = names(`w-${writer}-${round}`, 10).map((slug) => line(slug, 'own'));
        const shared = line(`c-00${String((writer + round) % 30).padStart(2, '0')}`, `of ${writer}`);
        const chunk = { import_id: crypto.randomUUID(), seq: 0, first_line: 1, ...replaceRules };
        await imports[writer % 2]?.importChunk(chunk, Buffer.concat([...own, shared]));
        if (writer % 5 === 0) await creators.remove(`w-${writer}-${round}-0003`);
        if (writer % 5 === 1) await creators.publish(`c-000${round}`, round % 2 === 0);
        index.manager.index?.freeze();
      }
    });
    await Promise.all(writers);
    await kept().untilSame(index);
    expect((await index.found()).total).toBe(30 + 10 * 5 * 10 - 2 * 5 - 2);
    expect(index.builder.readings).toBe(1);
  });

  it('are read and built into segments by another thread when they are many; again when that fails', async () => {
    await kept().importSlugs(...names('a', 400));
    const index = await openReplica();
    const readChanges = index.builder.readChanges.bind(index.builder);
    const many = jest.spyOn(index.builder, 'readChanges').mockImplementationOnce(async (span, take) => {
      await readChanges(span, take);
      throw new Error('the connection broke');
    });
    // One revision with creators that are new, replaced, hidden and deleted.
    await kept().fixture.query(`
      WITH state AS (UPDATE catalog_state SET revision = revision + 1 RETURNING revision),
        hidden AS (
          UPDATE creators SET published = slug >= 'a-0050', name = 'Replaced', revision = state.revision
          FROM state WHERE slug >= 'a-' AND slug < 'a-0200'
        ), removed AS (
          DELETE FROM creators WHERE slug >= 'a-0200' AND slug < 'a-0300' RETURNING slug
        )
      INSERT INTO creator_deletions (slug, revision) SELECT slug, revision FROM removed, state`);
    await until(() => many.mock.calls.length >= 2);
    await kept().untilSame(index);
    expect(liveInSegments(index)).toBe(400 - 50 - 100);
    await kept().importSlugs(...names('c', 100));
    await kept().untilSame(index);
    expect(many).toHaveBeenCalledTimes(2);
    expect(index.builder.readings).toBe(1);
  });
});

it('while PostgreSQL does not answer, searches are answered; changes made meanwhile are seen afterwards', async () => {
  await kept().importSlugs('a', 'b');
  const index = await openReplica();
  const warned = jest.spyOn(index.logger, 'warn');
  await kept().fixture.query('ALTER TABLE catalog_state RENAME TO hidden_state');
  await kept().fixture.query(`
    WITH state AS (UPDATE hidden_state SET revision = revision + 1 RETURNING revision)
    UPDATE creators SET published = false, revision = state.revision FROM state WHERE slug = 'a'`);
  await until(() => warned.mock.calls.length > 0);
  expect(await index.found()).toEqual({ total: 2, slugs: ['a', 'b'] });
  await kept().fixture.query('ALTER TABLE hidden_state RENAME TO catalog_state');
  await untilFound(index, ['b']);
});

/** Not the copy that jest gives a test, which receives no events. */
const realProcess = runInThisContext('process') as NodeJS.Process;

it("segments that can't be added are added a moment later; the process goes on", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): unknown => unhandled.push(error);
  realProcess.on('unhandledRejection', note);
  try {
    const index = await kept().replica({ followEveryMs: 3_600_000 });
    await index.open();
    await index.manager.catchUp();
    const { index: bitmaps } = index.manager;
    if (!bitmaps) throw new Error('opened');
    const add = jest.spyOn(bitmaps, 'add').mockRejectedValueOnce(new Error('no memory just now'));
    // Enough changes for three segments: the first one fails while the others are being read.
    const slugs = Array.from({ length: 2.5 * changesPerSegment }, (_, number) => `many-${number}`);
    await kept().importSlugs(...slugs);
    index.manager.wake();
    await kept().untilSame(index);
    expect(add.mock.calls.length).toBeGreaterThan(3);
    expect(index.builder.readings).toBe(1);
  } finally {
    realProcess.off('unhandledRejection', note);
  }
  expect(unhandled).toEqual([]);
});

it('a segment that could not be built is reported, and built after the next change', async () => {
  const index = await openReplica();
  const warned = jest.spyOn(index.logger, 'warn');
  jest.spyOn(index.builder, 'build').mockRejectedValueOnce(new Error('no memory just now'));
  await kept().importSlugs('a');
  await untilFound(index, ['a']);
  index.manager.index?.freeze();
  await until(() => warned.mock.calls.length > 0);
  await kept().importSlugs('b');
  await untilFound(index, ['a', 'b']);
  await until(() => liveInSegments(index) === 1);
});

it.each(otherStates)(
  'an index that no longer belongs to its catalog answers until it is rebuilt, after: $title',
  async ({ sql }) => {
    await kept().importSlugs('a', 'b', 'c');
    await kept().fixture.creators.publish('c', false);
    const index = await openReplica();
    // No record of what was deleted or added.
    await kept().fixture.query(`BEGIN; DELETE FROM creators WHERE slug = 'a';
      UPDATE creators SET published = true WHERE slug = 'c'; ${sql}; COMMIT`);
    const failed = jest.spyOn(index.builder, 'read').mockRejectedValueOnce(new Error('not now'));
    await until(() => failed.mock.calls.length > 0);
    await untilFound(index, ['b', 'c']);
    await kept().importSlugs('d');
    await untilFound(index, ['b', 'c', 'd']);
    expect(failed).toHaveBeenCalledTimes(2);
  },
);

describe('the memory of an index', () => {
  const replicaWith = (bytes: number) => kept().replica({ memory: new IndexMemory(bytes) });

  beforeEach(async () => {
    await kept().importSlugs(...names('a', 400));
    await kept().fixture.query('ANALYZE creators');
  });

  /** What the index of the stored creators takes when it has just been built. */
  async function bytesOfIndex(): Promise<number> {
    const index = await openReplica();
    const bytes = index.manager.index?.bytes ?? 0;
    await index.close();
    return bytes;
  }

  it('is full until there is room again, and says so', async () => {
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

  it.each([
    { title: 'for two, it answers meanwhile', times: 3, isAnswering: true },
    { title: 'for one, it is dropped first, and answers afterwards', times: 1.5, isAnswering: false },
  ])('decides how an index is rebuilt: $title', async ({ times, isAnswering }) => {
    const index = await replicaWith((await bytesOfIndex()) * times);
    await index.open();
    const answering: boolean[] = [];
    const read = index.builder.read.bind(index.builder);
    jest.spyOn(index.builder, 'read').mockImplementation((progress) => {
      answering.push(index.manager.index !== null);
      return answering.length === 1 ? Promise.reject(new Error('not now')) : read(progress);
    });
    await kept().fixture.query('UPDATE catalog_state SET catalog_id = gen_random_uuid()');
    await until(() => answering.length === 2 && index.manager.index !== null);
    expect(answering).toEqual([isAnswering, isAnswering]);
    await kept().importSlugs('b');
    await until(async () => (await index.found()).total === 401);
  });
});
