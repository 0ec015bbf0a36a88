import { type CreatorRecord } from '#contracts';
import { until } from '#testing';
import { recordOf } from '../creators/creator-records.fixture.js';
import { randomCatalog } from '../search/random-catalog.fixture.js';
import { type KeptIndex, useKeptCatalog } from './kept-index.fixture.js';

const kept = useKeptCatalog();

/** A replica that copies its index to disk right after each change. */
const copying = () => kept().replica({ snapshots: kept().snapshots, snapshotEveryMs: 5 });

/** A replica that reads the copy, and ends before it would write one. */
const starting = async (): Promise<KeptIndex> => {
  const index = await kept().replica({ snapshots: kept().snapshots, followEveryMs: 60_000 });
  await index.open();
  return index;
};

async function untilSaved(): Promise<void> {
  await until(async () => {
    const [saved, state] = [await kept().savedState(), await kept().state()];
    return saved?.catalogId === state.catalogId && saved.revision === state.revision;
  });
}

/** Writes a snapshot of these creators; no replica is running afterwards. */
async function leaveSnapshot(records: readonly CreatorRecord[]): Promise<void> {
  await kept().fixture.importRecords(records);
  const index = await copying();
  await index.open();
  await untilSaved();
  await index.close();
}

describe('a start with a snapshot', () => {
  it('loads it, and reads from the database only later changes, even if they are many', async () => {
    const records = randomCatalog(600, 5).map((record) => ({ ...record, published: true }));
    await leaveSnapshot(records);
    const { fixture } = kept();
    const { creators } = fixture;
    // First many changes in one revision, then many revisions: several pages of each.
    await fixture.importRecords(
      randomCatalog(600, 6).map((record, number) => ({ ...record, slug: `new-${number}` })),
    );
    await fixture.importRecords(records.slice(0, 50).map((record) => ({ ...record, name: 'Renamed' })));
    for (const { slug } of records.slice(30, 330)) await creators.remove(slug);
    for (const { slug } of records.slice(330, 350)) await creators.publish(slug, false);
    await fixture.importRecords(records.slice(30, 35).map((record) => ({ ...record, name: 'Back again' })));

    const index = await starting();
    expect(index.builder.readings).toBe(0);
    await kept().untilSame(index);
  });

  it('shows everything committed before it, without a notification', async () => {
    await leaveSnapshot([recordOf('a'), recordOf('b')]);
    await kept().silence();
    await kept().fixture.creators.remove('a');
    expect(await (await starting()).found()).toEqual({ total: 1, slugs: ['b'] });
  });

  it('continues from one snapshot to the next: changed, frozen, merged and restarted', async () => {
    await leaveSnapshot(randomCatalog(20, 7));
    for (let round = 0; round < 6; round++) {
      const index = await copying();
      await index.open();
      const records = randomCatalog(12, 8 + round).map((record, at) => ({
        ...record,
        slug: `c-${at + round}`,
      }));
      await kept().fixture.importRecords(records);
      await kept().fixture.creators.remove(`c-${round}`);
      await untilSaved();
      await kept().untilSame(index);
      expect(index.builder.readings).toBe(0);
      await index.close();
    }
  });

  it.each([
    { title: 'of another catalog', sql: 'UPDATE catalog_state SET catalog_id = gen_random_uuid()' },
    { title: 'ahead of the database', sql: 'UPDATE catalog_state SET revision = revision - 1' },
    {
      title: 'older than the deletions that are still known',
      sql: 'UPDATE catalog_state SET revision = revision + 5, forgotten_revision = revision + 4',
    },
  ])("$title doesn't use it", async ({ sql }) => {
    await kept().fixture.importRecords([recordOf('x')]);
    await leaveSnapshot([recordOf('a'), recordOf('b')]);
    await kept().fixture.query(`BEGIN; DELETE FROM creators WHERE slug = 'a'; ${sql}; COMMIT`);
    const index = await starting();
    expect(index.builder.readings).toBe(1);
    expect((await index.found()).slugs).toEqual(['b', 'x']);
    await kept().fixture.importRecords([recordOf('c')]);
    await index.manager.catchUp();
    await kept().untilSame(index);
  });

  it('that is damaged builds the index instead, and replaces it', async () => {
    await leaveSnapshot([recordOf('a')]);
    jest.spyOn(kept().snapshots, 'load').mockRejectedValueOnce(new Error('damaged'));
    const index = await copying();
    await index.open();
    expect(index.builder.readings).toBe(1);
    await kept().fixture.importRecords([recordOf('b')]);
    await untilSaved();
    await index.close();
    const next = await starting();
    expect(next.builder.readings).toBe(0);
    expect((await next.found()).slugs).toEqual(['a', 'b']);
  });

  it('of another catalog at the same revision is replaced, so that the next start is quick', async () => {
    await leaveSnapshot([recordOf('a')]);
    await kept().fixture.query('UPDATE catalog_state SET catalog_id = gen_random_uuid()');
    const index = await copying();
    await index.open();
    const { catalogId } = await kept().state();
    await until(async () => (await kept().savedState())?.catalogId === catalogId, 1_000);
  });
});

it("a disk that can't store a copy holds up neither changes nor searches", async () => {
  const save = jest.spyOn(kept().snapshots, 'save').mockRejectedValue(new Error('no space left'));
  const index = await copying();
  await index.open();
  await kept().fixture.importRecords([recordOf('a')]);
  await until(async () => (await index.found()).total === 1 && save.mock.calls.length > 2);
  save.mockRestore();
  await untilSaved();
});
