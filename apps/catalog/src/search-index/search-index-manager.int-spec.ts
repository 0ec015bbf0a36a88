import { until } from '#testing';
import { recordOf } from '../creators/creator-records.fixture.js';
import { type KeptIndex, liveInSegments, useKeptCatalog } from './kept-index.fixture.js';

// Writers and connections that are cut off take some seconds on a busy machine.
jest.setTimeout(30_000);

const kept = useKeptCatalog();

async function untilFound(index: KeptIndex, slugs: readonly string[]): Promise<void> {
  await until(async () => (await index.found()).slugs.join() === slugs.join());
  expect((await index.found()).total).toBe(slugs.length);
}

describe('changes that others make', () => {
  it.each([
    { title: 'by polling', followEveryMs: 10, isAnnounced: false },
    { title: 'by a notification, long before the next poll', followEveryMs: 60_000, isAnnounced: true },
  ])(
    'are seen $title: imported, hidden, shown, replaced, deleted',
    async ({ followEveryMs, isAnnounced }) => {
      if (!isAnnounced) await kept().silence();
      await kept().importSlugs('a');
      const index = await kept().replica({ followEveryMs });
      expect(index.manager.missing).toBe('not loaded yet');
      await expect(index.found()).rejects.toMatchObject({ code: 'unavailable' });
      await index.open();
      expect(index.manager.missing).toBeNull();
      expect(await index.found()).toEqual({ total: 1, slugs: ['a'] });
      if (isAnnounced) await kept().untilListening();

      const { fixture } = kept();
      const { creators } = fixture;
      await kept().importSlugs('b', 'c');
      await untilFound(index, ['a', 'b', 'c']);
      await creators.publish('a', false);
      await untilFound(index, ['b', 'c']);
      await creators.publish('a', true);
      await untilFound(index, ['a', 'b', 'c']);
      await creators.remove('b');
      await untilFound(index, ['a', 'c']);
      await fixture.importRecords([recordOf('b', { platforms: [] })]);
      await untilFound(index, ['a', 'c', 'b']);
      await kept().untilSame(index);
      expect(index.builder.readings).toBe(1);
    },
  );

  it('are not skipped when many writers commit at once on several connections', async () => {
    const index = await kept().replica({ followEveryMs: 1 });
    await kept().importSlugs(...Array.from({ length: 30 }, (_, number) => `c-${number}`));
    await index.open();
    const { imports, creators } = kept().fixture;
    const line = (slug: string, name: string): Buffer =>
      Buffer.from(`${JSON.stringify(recordOf(slug, { name }))}\n`);
    const writers = Array.from({ length: 20 }, async (_, writer) => {
      for (let round = 0; round < 5; round++) {
        const own = Array.from({ length: 10 }, (_, number) => line(`w-${writer}-${round}-${number}`, 'own'));
        const shared = line(`c-${(writer + round) % 30}`, `of ${writer} in ${round}`);
        const chunk = { import_id: crypto.randomUUID(), seq: 0, first_line: 1 };
        await imports[writer % 2]?.importChunk(chunk, Buffer.concat([...own, shared]));
        if (writer % 5 === 0) await creators.remove(`w-${writer}-${round}-3`);
        if (writer % 5 === 1) await creators.publish(`c-${round}`, round % 2 === 0);
        index.manager.index?.freeze();
      }
    });
    await Promise.all(writers);
    await kept().untilSame(index);
    expect((await index.found()).total).toBe(30 + 20 * 5 * 10 - 4 * 5 - 2);
    expect(index.builder.readings).toBe(1);
  });
});

describe('changes that are too many for the main thread', () => {
  const names = (letter: string, count: number): string[] =>
    Array.from({ length: count }, (_, number) => `${letter}-${String(number).padStart(4, '0')}`);

  /** One revision with creators that are new, replaced, hidden and deleted. */
  async function changeMany(): Promise<void> {
    await kept().fixture.query(`
      WITH state AS (UPDATE catalog_state SET revision = revision + 1 RETURNING revision),
        hidden AS (
          UPDATE creators SET published = slug >= 'a-0050', name = 'Replaced', revision = state.revision
          FROM state WHERE slug >= 'a-' AND slug < 'a-0200'
        ), removed AS (
          DELETE FROM creators WHERE slug >= 'a-0200' AND slug < 'a-0300' RETURNING slug
        )
      INSERT INTO creator_deletions (slug, revision) SELECT slug, revision FROM removed, state`);
  }

  it('are read and built into segments by another thread, and are found', async () => {
    await kept().importSlugs(...names('a', 400));
    const index = await kept().replica();
    await index.open();
    const many = jest.spyOn(index.builder, 'readChanges');
    await kept().importSlugs(...names('b', 1_500));
    await kept().untilSame(index);
    await changeMany();
    await kept().untilSame(index);
    expect((await index.found()).total).toBe(400 - 50 - 100 + 1_500);
    expect(many).toHaveBeenCalledTimes(2);
    await kept().importSlugs(...names('c', 100));
    await kept().untilSame(index);
    expect(many).toHaveBeenCalledTimes(2);
    expect(index.builder.readings).toBe(1);
  });

  it('are read again from the beginning when reading fails in the middle', async () => {
    await kept().importSlugs(...names('a', 400));
    const index = await kept().replica();
    await index.open();
    const readChanges = index.builder.readChanges.bind(index.builder);
    const brokenOff = jest.spyOn(index.builder, 'readChanges').mockImplementationOnce(async (span, take) => {
      await readChanges(span, take);
      throw new Error('the connection broke');
    });
    await changeMany();
    await until(() => brokenOff.mock.calls.length >= 2);
    await kept().untilSame(index);
    expect(index.manager.index?.documents).toBe(400 - 50 - 100);
    expect(liveInSegments(index)).toBe(400 - 50 - 100);
  });
});

describe('while PostgreSQL does not answer', () => {
  it('searches are answered, and changes made meanwhile are seen afterwards', async () => {
    await kept().importSlugs('a', 'b');
    const index = await kept().replica();
    await index.open();
    const warned = jest.spyOn(index.logger, 'warn');
    await kept().fixture.query('ALTER TABLE catalog_state RENAME TO hidden_state');
    await kept().fixture.query(`
      WITH state AS (UPDATE hidden_state SET revision = revision + 1 RETURNING revision)
      UPDATE creators SET published = false, revision = state.revision FROM state WHERE slug = 'a'`);
    await until(() => warned.mock.calls.length > 0);
    expect(await index.found()).toEqual({ total: 2, slugs: ['a', 'b'] });
    await kept().fixture.query('ALTER TABLE hidden_state RENAME TO catalog_state');
    await untilFound(index, ['b']);
    // Once for the whole outage, not for every poll.
    expect(warned).toHaveBeenCalledTimes(1);
    expect(index.builder.readings).toBe(1);
  });

  it('or ends all connections, new ones are opened', async () => {
    await kept().importSlugs('a', 'b');
    const index = await kept().replica();
    await index.open();
    await kept().untilListening();
    const { query, creators } = kept().fixture;
    for (let time = 0; time < 3; time++) {
      await query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name IN ('catalog-migration', 'catalog-announcements')`);
      expect((await index.found()).total).toBe(2);
      await creators.publish('a', time % 2 > 0);
      await untilFound(index, time % 2 > 0 ? ['a', 'b'] : ['b']);
      await creators.publish('a', true);
      await untilFound(index, ['a', 'b']);
    }
  });

  it('notifications arrive again afterwards', async () => {
    const index = await kept().replica({ followEveryMs: 60_000 });
    await index.open();
    const before = await kept().untilListening();
    await kept().fixture.query('SELECT pg_terminate_backend($1)', [before]);
    await kept().untilListening(before);
    await kept().importSlugs('a');
    await untilFound(index, ['a']);
  }, 20_000);
});

describe('an index that no longer belongs to this catalog is rebuilt, and answers until then', () => {
  it.each([
    { title: 'another catalog', sql: 'UPDATE catalog_state SET catalog_id = gen_random_uuid()' },
    { title: 'an older state', sql: 'UPDATE catalog_state SET revision = revision - 1' },
    {
      title: 'deletions that were dropped before they were read',
      sql: 'UPDATE catalog_state SET revision = revision + 5, forgotten_revision = revision + 4',
    },
  ])('$title', async ({ sql }) => {
    await kept().silence();
    await kept().importSlugs('a', 'b', 'c');
    await kept().fixture.creators.publish('c', false);
    const index = await kept().replica();
    await index.open();
    // As after restoring a backup: no record of what was deleted or added.
    await kept().fixture.query(`
      BEGIN;
      DELETE FROM creators WHERE slug = 'a';
      UPDATE creators SET published = true WHERE slug = 'c';
      ${sql};
      COMMIT`);
    const failed = jest.spyOn(index.builder, 'read').mockRejectedValueOnce(new Error('not now'));
    await until(() => failed.mock.calls.length > 0);
    await untilFound(index, ['b', 'c']);
    await kept().importSlugs('d');
    await untilFound(index, ['b', 'c', 'd']);
    expect(failed).toHaveBeenCalledTimes(2);
  });
});
