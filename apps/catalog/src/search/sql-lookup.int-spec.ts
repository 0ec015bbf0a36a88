import { type CatalogFixture, openCatalog } from '../catalog.fixture.js';
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

describe('the look-up of accounts in a large catalog', () => {
  let catalog: CatalogFixture;
  beforeAll(async () => {
    catalog = await openCatalog();
    await applySqlSearchIndexes((_name, sql, parameters) => catalog.query(sql, parameters), true);
    await catalog.query(makeCreatorsSql);
    await catalog.query('ANALYZE creators');
  }, 120_000);
  afterAll(() => catalog?.close());

  it('reads the index of accounts for each key, never the creators one after the other', async () => {
    const plan: string[] = [];
    await findByKeys(
      async (_name, sql, parameters) => {
        const rows = await catalog.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql}`, parameters);
        plan.push(...rows.map((row) => row['QUERY PLAN']));
        return [];
      },
      ['x/@creator7', 'x/@nobody'],
    );
    expect(plan.join('\n')).toContain('Bitmap Index Scan on creators_of_account');
    expect(plan.join('\n')).not.toContain('creators_newest');
    expect(plan.join('\n')).not.toContain('Seq Scan');
  });
});
