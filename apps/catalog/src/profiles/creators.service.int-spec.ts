import { createLogger, metricsText } from '#platform';
import { TransactionRunner } from '#platform/database';
import { openCatalog, type CatalogFixture } from '../catalog.fixture.js';
import { accountOf, recordOf } from '../creators/creator-records.fixture.js';
import { DataAge } from '../creators/data-age.js';

let catalog: CatalogFixture;
beforeAll(async () => (catalog = await openCatalog()));
afterAll(() => catalog.close());

it("the age of published creators' newest follower counts is in the metrics", async () => {
  const now = new Date();
  const counted = (slug: string, days: number, changes: object = {}) => {
    const at = (age: number) => new Date(now.getTime() - age * 86_400_000).toISOString();
    const platforms = ['youtube', 'x'].map((platform, older) =>
      accountOf({ platform, handle: slug.replace('-', '_'), updated_at: at(days + 9 * older) }),
    );
    return recordOf(slug, { platforms, ...changes });
  };
  const logger = createLogger({ service: 'test', level: 'silent', pretty: false });
  const age = new DataAge(new TransactionRunner(catalog.dataSource), logger);
  const shown = async () => {
    await age.count(now);
    const { text } = await metricsText();
    return [...text.matchAll(/^creator_search_creator_data_age_seconds\{quantile="(.*)"\} (.*)$/gm)].map(
      ([, quantile, seconds]) => [quantile, Number(seconds) / 86_400],
    );
  };
  expect(await shown()).toEqual([]);
  await catalog.importRecords([
    ...[1, 2, 3, 10, 20, 30, 40, 50, 100, 400].map((days) => counted(`aged-${days}`, days)),
    counted('hidden', 0, { published: false }),
    recordOf('without-accounts', { platforms: [] }),
  ]);
  expect(await shown()).toEqual([
    ['0.5', 20],
    ['0.9', 100],
  ]);
});

it('many profiles are read at once: those of published creators, as they are now, also by an old slug', async () => {
  await catalog.importRecords([
    ...['one', 'two', 'gone'].map((slug) => recordOf(slug)),
    recordOf('secret', { published: false }),
  ]);
  await catalog.joins.join('gone', 'two');
  const found = await catalog.profiles.findMany(['gone', 'nobody', 'secret', 'one', 'two']);
  const slugOf = (slug: string) => (JSON.parse(String(found.get(slug))) as { slug: string }).slug;
  expect([...found.keys()].toSorted()).toEqual(['gone', 'one', 'two']);
  expect(['gone', 'one', 'two'].map(slugOf)).toEqual(['two', 'one', 'two']);
  expect(found.get('one')).toEqual(await catalog.profiles.find('one', true));
});

it('a profile is read once for each state of the index, and each time without a known one or when it has to be the latest', async () => {
  const store = (tagline: string) => catalog.creators.put('kept', recordOf('kept', { tagline }));
  const tagline = async (latest = false): Promise<unknown> => {
    const profile = await catalog.profiles.find('kept', latest);
    return (JSON.parse(profile?.toString() ?? '{}') as { tagline?: string }).tagline;
  };
  await store('old');
  catalog.index.currentState = { catalogId: 'a catalog', revision: 1 };
  expect(await tagline()).toBe('old');
  await store('new');
  expect(await tagline()).toBe('old');
  expect(await tagline(true)).toBe('new');
  catalog.index.currentState = undefined;
  expect(await tagline()).toBe('new');
  catalog.index.currentState = { catalogId: 'a catalog', revision: 2 };
  expect(await tagline()).toBe('new');
  catalog.index.currentState = undefined;
});
