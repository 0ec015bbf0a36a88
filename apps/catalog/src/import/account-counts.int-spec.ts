import { type FollowersOfDay } from '#contracts';
import { type CatalogFixture, openCatalog } from '../catalog.fixture.js';
import { on, recordOf } from '../creators/creator-records.fixture.js';

let catalog: CatalogFixture;
beforeAll(async () => (catalog = await openCatalog()));
afterAll(() => catalog.close());

/** A creator with one account, as it was counted at that time. */
const counted = (slug: string, followers: number, updated_at: string, handle = slug) =>
  recordOf(slug, { platforms: [on('youtube', handle, { followers, updated_at })] });

const historyOf = async (slug: string): Promise<readonly FollowersOfDay[] | undefined> =>
  (await catalog.creators.show(slug, true)).history;

const stored = (handle: string) =>
  catalog.query(`SELECT FROM account_counts WHERE account = 'youtube/@' || $1`, [handle]);

describe('the follower counts of an account', () => {
  it('are kept for each day on which they changed, the last one of a day, from any import and in any order', async () => {
    await catalog.importRecords([counted('over-time', 5, '2025-03-01')]);
    await catalog.importRecords([counted('over-time', 5, '2025-03-02')]);
    await catalog.importRecords([counted('over-time', 6, '2025-03-03T08:00:00Z')]);
    await catalog.importRecords([counted('over-time', 7, '2025-03-03T09:00:00Z')]);
    await catalog.creators.put('over-time', counted('over-time', 8, '2025-03-04'));
    await catalog.importRecords([counted('over-time', 2, '2025-02-02')]);
    expect(await historyOf('over-time')).toEqual([
      { platform: 'youtube', day: '2025-03-04', followers: 8 },
      { platform: 'youtube', day: '2025-03-03', followers: 7 },
      { platform: 'youtube', day: '2025-03-01', followers: 5 },
      { platform: 'youtube', day: '2025-02-02', followers: 2 },
    ]);
    expect(await catalog.creators.show('over-time')).not.toHaveProperty('history');
  });

  it('follow the account to another creator', async () => {
    await catalog.importRecords([counted('first-owner', 5, '2025-03-01', 'moving')]);
    await catalog.importRecords([recordOf('first-owner', { platforms: [] })]);
    await catalog.importRecords([counted('next-owner', 6, '2025-03-02', 'moving')]);
    expect(await historyOf('next-owner')).toHaveLength(2);
  });

  it('go with a creator who is deleted or removed', async () => {
    await catalog.importRecords([counted('deleted', 5, '2025-03-01'), counted('removed', 5, '2025-03-01')]);
    expect([await stored('deleted'), await stored('removed')]).toEqual([[{}], [{}]]);
    await catalog.creators.remove('deleted');
    await catalog.removals.remove({ slug: 'removed', reference: 'by mail' });
    expect([await stored('deleted'), await stored('removed')]).toEqual([[], []]);
  });
});
