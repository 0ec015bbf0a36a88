import fc from 'fast-check';
import { type Platform, type RefreshFilters } from '#contracts';
import { TransactionRunner } from '#platform/database';
import { type CatalogFixture, openCatalog } from '../catalog.fixture.js';
import { accountOf, recordOf } from '../creators/creator-records.fixture.js';
import { flushReads } from './demand.module.js';
import { halfLifeMs, type RefreshPosition } from './demand.repository.js';
import { ReadCounter } from './read-counter.js';

let catalog: CatalogFixture;
beforeAll(async () => (catalog = await openCatalog()));
afterAll(() => catalog.close());

const now = new Date('2026-11-02T12:00:00Z');
const dayMs = 86_400_000;
const ago = (days: number) => new Date(now.getTime() - days * dayMs);
const recent = async (slug: string, at = now) =>
  (await catalog.demand.recentReads(catalog.dataSource.manager, slug, at))?.reads;

describe('reads of a profile', () => {
  it('are counted when it is found, without a statement, and stored for those who exist', async () => {
    await catalog.importRecords([recordOf('read'), recordOf('read-hidden', { published: false })]);
    for (const slug of ['read', 'read', 'read-hidden', 'nobody']) await catalog.profiles.find(slug);
    expect([...catalog.reads.take()]).toEqual([['read', 2]]);
    await catalog.demand.add(new Map(['read', 'nobody'].map((slug) => [slug, 3])), now);
    expect(await recent('read')).toBeCloseTo(3);
    expect(await recent('nobody')).toBeUndefined();
  });

  it('count half as much after 30 days, whenever and however they are stored', async () => {
    const stored = fc.array(fc.record({ days: fc.nat(700), reads: fc.integer({ min: 1, max: 1_000_000 }) }), {
      minLength: 1,
      maxLength: 6,
    });
    await catalog.importRecords([recordOf('fades')]);
    await fc.assert(
      fc.asyncProperty(stored, async (flushes) => {
        await catalog.query('DELETE FROM creator_reads');
        for (const { days, reads } of flushes) {
          await catalog.demand.add(new Map([['fades', reads]]), ago(days));
        }
        const expected = flushes.reduce((sum, { days, reads }) => sum + reads * 2 ** (-days / 30), 0);
        expect(((await recent('fades')) ?? 0) / expected).toBeCloseTo(1, 6);
      }),
      { numRuns: 30 },
    );
  });

  it('of two replicas at once are both stored', async () => {
    const slugs = Array.from({ length: 50 }, (_, at) => `both-${at}`);
    await catalog.importRecords(slugs.map((slug) => recordOf(slug)));
    const flush = (order: string[]) => catalog.demand.add(new Map(order.map((slug) => [slug, 1])), now);
    await Promise.all([1, 2, 3, 4].map((at) => flush(at % 2 ? slugs : slugs.toReversed())));
    for (const slug of slugs) expect(await recent(slug)).toBeCloseTo(4);
  });

  it('go with the creator, and are counted again when they could not be stored', async () => {
    await catalog.importRecords([recordOf('leaves')]);
    await catalog.demand.add(new Map([['leaves', 1]]), now);
    await catalog.creators.remove('leaves');
    expect(await catalog.query(`SELECT 1 FROM creator_reads WHERE slug = 'leaves'`)).toEqual([]);
    const counter = new ReadCounter();
    counter.count('a', 2);
    const lost = new Error('no database');
    await expect(flushReads(counter, { add: () => Promise.reject(lost) })).rejects.toBe(lost);
    counter.count('a');
    expect([...counter.take()]).toEqual([['a', 3]]);
  });
});

interface Known {
  readonly slug: string;
  readonly published: boolean;
  readonly country: string;
  readonly accounts: Partial<Record<Platform, number>>;
  readonly reads: number;
}

/** The rule, one creator after the other. */
function expectedOrder(
  known: readonly Known[],
  { platform, country, min_age_days = 0 }: RefreshFilters,
): string[] {
  return known
    .map(({ accounts, ...one }) => {
      const days = platform === undefined ? Object.values(accounts) : [accounts[platform] ?? NaN];
      return { ...one, age: Math.min(...days) };
    })
    .filter(({ age, published }) => published && Number.isFinite(age) && age >= min_age_days)
    .filter((one) => country === undefined || one.country.toLowerCase() === country.toLowerCase())
    .map(({ slug, reads, age }) => ({
      slug,
      asked: reads > 0,
      key: reads > 0 ? reads * Math.max(age, 1) : age,
    }))
    .sort((a, b) => Number(b.asked) - Number(a.asked) || b.key - a.key || (a.slug < b.slug ? -1 : 1))
    .map(({ slug }) => slug);
}

it('the order of a refresh: those asked for by reads times age, then the oldest; the same in one page and in many', async () => {
  const days = fc.integer({ min: 0, max: 400 });
  const one = fc.record({
    published: fc.boolean(),
    country: fc.constantFrom('Norway', 'Peru'),
    accounts: fc.record({ youtube: days, x: days }, { requiredKeys: [] }),
    // Powers of two, whose logarithms are exact: equal products are equal ranks.
    reads: fc.constantFrom(0, 1, 2, 4, 1_024),
  });
  const filters = fc.record(
    {
      platform: fc.constantFrom<Platform>('youtube', 'x'),
      country: fc.constantFrom('norway', 'Peru'),
      min_age_days: fc.constantFrom(0, 30, 365),
    },
    { requiredKeys: [] },
  );
  const { query } = new TransactionRunner(catalog.dataSource);
  await fc.assert(
    fc.asyncProperty(
      fc.array(one, { maxLength: 12 }),
      filters,
      fc.integer({ min: 1, max: 5 }),
      async (list, given, size) => {
        await catalog.query('DELETE FROM creators');
        const known = list.map((each, at) => ({ ...each, slug: `c${at}` }));
        await catalog.importRecords(
          known.map(({ slug, published, country, accounts }) =>
            recordOf(slug, {
              published,
              country,
              platforms: Object.entries(accounts).map(([platform, age]) =>
                accountOf({ platform, updated_at: ago(age).toISOString() }),
              ),
            }),
          ),
        );
        const asked = known.filter(({ reads }) => reads > 0).map(({ slug, reads }) => [slug, reads] as const);
        await catalog.demand.add(
          new Map(asked),
          new Date(Math.round(now.getTime() / halfLifeMs) * halfLifeMs),
        );
        const found: string[] = [];
        for (let after: RefreshPosition | null = null; ;) {
          const page: RefreshPosition[] = await catalog.demand.order(query, given, {
            now,
            after,
            limit: size,
          });
          found.push(...page.map(({ slug }) => slug));
          after = page.at(-1) ?? null;
          if (page.length < size) break;
        }
        const expected = expectedOrder(known, given);
        const whole = await catalog.demand.order(query, given, { now, after: null, limit: 100 });
        expect(whole.map(({ slug }) => slug)).toEqual(expected);
        expect(found).toEqual(expected);
      },
    ),
    { numRuns: 40 },
  );
});
