import fc from 'fast-check';
import { type FreshnessDimension, countryKey, type Platform } from '#contracts';
import { metricsText } from '#platform';
import { TransactionRunner } from '#platform/database';
import { type CatalogFixture, openCatalog } from '../catalog.fixture.js';
import { accountOf, recordOf } from '../creators/creator-records.fixture.js';
import { FreshnessRepository } from './freshness.repository.js';
import { FreshnessService } from './freshness.service.js';

let catalog: CatalogFixture;
let freshness: FreshnessService;
beforeAll(async () => {
  catalog = await openCatalog();
  freshness = new FreshnessService(new TransactionRunner(catalog.dataSource), new FreshnessRepository());
});
afterAll(() => catalog.close());

const now = new Date('2026-11-02T12:00:00Z');
const ago = (days: number) => new Date(now.getTime() - days * 86_400_000 - 1).toISOString();

interface Known {
  readonly published: boolean;
  readonly country: string;
  readonly accounts: Partial<Record<Platform, number>>;
}

/** The rule, for the ages of one group. */
function summary(ages: readonly number[]) {
  const sorted = [...ages].sort((a, b) => a - b);
  const quantile = (part: number) => sorted[Math.ceil(sorted.length * part) - 1];
  const older = (days: number) =>
    Math.round((sorted.filter((age) => age > days).length / sorted.length) * 10_000) / 10_000;
  return {
    creators: sorted.length,
    median_days: quantile(0.5),
    p90_days: quantile(0.9),
    oldest_days: sorted.at(-1),
    older_than_30: older(30),
    older_than_90: older(90),
    older_than_365: older(365),
  };
}

function expected(known: readonly Known[], by: FreshnessDimension): Record<string, object> {
  const ages = new Map<string, number[]>();
  for (const { country, accounts } of known.filter(({ published }) => published)) {
    const entries = Object.entries(accounts);
    const found =
      by === 'platform'
        ? entries
        : [[countryKey(country), Math.min(...entries.map(([, age]) => age))] as const];
    for (const [value, age] of entries.length === 0 ? [] : found) {
      ages.set(value, [...(ages.get(value) ?? []), age]);
    }
  }
  return Object.fromEntries([...ages].map(([value, of]) => [value, summary(of)]));
}

it('is computed of published creators, by platform and by country', async () => {
  const days = fc.constantFrom(0, 1, 30, 31, 90, 91, 365, 366, 4_000);
  const one = fc.record({
    published: fc.boolean(),
    country: fc.constantFrom('Norway', 'norway', 'Perú', 'Peru'),
    accounts: fc.record({ youtube: days, x: days, tiktok: days }, { requiredKeys: [] }),
  });
  let hour = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(one, { maxLength: 12 }), async (known) => {
      await catalog.query('DELETE FROM creators');
      await catalog.query('DELETE FROM creator_freshness');
      await catalog.importRecords(
        known.map(({ accounts, ...each }, at) =>
          recordOf(`c${at}`, {
            ...each,
            platforms: Object.entries(accounts).map(([platform, age]) =>
              accountOf({ platform, updated_at: ago(age) }),
            ),
          }),
        ),
      );
      await freshness.refresh(now);
      for (const by of ['platform', 'country'] as const) {
        const { rows, computed_at } = await freshness.report({ by });
        const found = rows.map(({ value, ...row }) => [countryKey(value), row] as const);
        expect(Object.fromEntries(found)).toEqual(expected(known, by));
        expect(computed_at).toBe(rows.length === 0 ? null : now.toISOString());
        expect(rows.map(({ creators }) => creators)).toEqual(
          rows.map(({ creators }) => creators).sort((a, b) => b - a),
        );
      }
      hour += 1;
    }),
    { numRuns: 30 },
  );
  expect(hour).toBeGreaterThan(0);
});

it('is computed again only after an hour, by one of several replicas at once, and is in the metrics', async () => {
  await catalog.query('DELETE FROM creators');
  const store = (slug: string) =>
    catalog.importRecords([recordOf(slug, { platforms: [accountOf({ updated_at: ago(100) })] })]);
  const counted = async () =>
    (await freshness.report({ by: 'platform' })).rows.map(({ creators }) => creators);
  const after = (minutes: number) => freshness.refresh(new Date(now.getTime() + minutes * 60_000));
  await catalog.query('DELETE FROM creator_freshness');
  await store('one');
  await after(0);
  await store('two');
  await after(59);
  expect(await counted()).toEqual([1]);
  await Promise.all([1, 2, 3, 4].map(() => after(60)));
  expect(await counted()).toEqual([2]);
  const { text } = await metricsText();
  expect(text).toMatch(
    /creator_search_creator_data_age_seconds\{platform="youtube",quantile="0.9"\} 8640000\n/,
  );
  expect(text).toMatch(/creator_search_creator_data_old_ratio\{platform="youtube"\} 1\n/);
});
