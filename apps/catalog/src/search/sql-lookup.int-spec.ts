import { type CatalogFixture, openCatalog } from '../catalog.fixture.js';
import { type Query } from '#platform/database';
import { accountKey, slugKey } from '../creators/block-list.js';
import { RemovalsRepository } from '../removals/removals.repository.js';
import { findByKeys } from './sql-lookup.js';
import { applySqlSearchIndexes } from './sql-indexes.js';

const creatorsCount = 40_000;

/** Hand-made rows: what counts here is how many there are. */
const makeCreatorsSql = `
  INSERT INTO creators (slug, name, tagline, country, languages, verified, categories, published, platforms, total_reach,
    newest_updated_at, x_followers, folded_country, folded_languages, folded_categories, search_text, content_hash,
    revision, account_keys)
  SELECT 'creator-' || number, 'A', '', 'France', '{}', false, '{}', true,
    jsonb_build_array(jsonb_build_object('platform', 'x', 'handle', 'creator' || number)), 1,
    now() - number * interval '1 second', 1, 'france', '{}', '{}', '', '', number, ARRAY['x/@creator' || number]
  FROM generate_series(1, ${creatorsCount}) AS number`;

describe('accounts in a large catalog', () => {
  let catalog: CatalogFixture;
  beforeAll(async () => {
    catalog = await openCatalog();
    await applySqlSearchIndexes((_name, sql, parameters) => catalog.query(sql, parameters), true);
    await catalog.query(makeCreatorsSql);
    await catalog.query('ANALYZE creators');
  }, 120_000);
  afterAll(() => catalog?.close());

  /** How PostgreSQL answers what is asked. */
  async function planOf(ask: (query: Query) => Promise<unknown>): Promise<string> {
    const plan: string[] = [];
    await ask(async (_name, sql, parameters) => {
      const rows = await catalog.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, parameters);
      plan.push(...rows.map((row) => row['QUERY PLAN']));
      return [];
    });
    return plan.join('\n');
  }

  it('are looked up by the index for each key, never by the creators one after the other', async () => {
    const plan = await planOf((query) => findByKeys(query, ['x/@creator7', 'x/@nobody']));
    expect(plan).toContain('Bitmap Index Scan on creators_by_account');
    expect(plan).not.toContain('creators_newest');
    expect(plan).not.toContain('Seq Scan');
  });

  it.each([
    ['an account', [accountKey('x/@creator7')]],
    ['a slug', [slugKey('creator-7')]],
    ['both', [slugKey('creator-7'), accountKey('x/@creator8'), accountKey('x/@nobody')]],
  ])('are found by the index for a removal by %s', async (_by, keys) => {
    const plan = await planOf((query) => new RemovalsRepository().findMatching(query, keys));
    expect(plan).toContain('creators_by_account');
    expect(plan).not.toContain('Seq Scan');
  });
});
