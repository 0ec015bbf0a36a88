import { createLogger, metricsText } from '#platform';
import { TransactionRunner } from '#platform/database';
import { type CatalogFixture, openCatalog } from '../catalog.fixture.js';
import { accountOf, recordOf } from './creator-records.fixture.js';
import { DataAge } from './data-age.js';

let catalog: CatalogFixture;
beforeAll(async () => (catalog = await openCatalog()));
afterAll(() => catalog.close());

it("the age of published creators' newest follower counts is in the metrics", async () => {
  const now = new Date();
  const agesInDays = [1, 2, 3, 10, 20, 30, 40, 50, 100, 400];
  const accounts = (...days: number[]) =>
    days.map((age, at) =>
      accountOf({
        platform: ['youtube', 'x'][at],
        updated_at: new Date(now.getTime() - age * 86_400_000).toISOString(),
      }),
    );
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
    ...agesInDays.map((days) => recordOf(`aged-${days}`, { platforms: accounts(days, days + 9) })),
    recordOf('hidden', { platforms: accounts(0), published: false }),
    recordOf('without-accounts', { platforms: [] }),
  ]);
  expect(await shown()).toEqual([
    ['0.5', 20],
    ['0.9', 100],
  ]);
});
