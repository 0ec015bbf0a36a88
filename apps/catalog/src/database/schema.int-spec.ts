import { entitySchema } from '#testing';
import { type CatalogFixture, openCatalog } from '../catalog.fixture.js';
import { recordOf } from '../creators/creator-records.fixture.js';
import { entities } from '../data-source.js';
import { grants } from './grants.js';
import { migrations } from './migrations/index.js';

let catalog: CatalogFixture;
beforeAll(async () => (catalog = await openCatalog()));
afterAll(() => catalog.close());

describe('the schema', () => {
  it('names every constraint', async () => {
    const rows = await catalog.query<{ name: string }>(
      `SELECT conname AS name FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
       WHERE relnamespace = 'public'::regnamespace AND relname <> 'migrations' AND conname ~ '_(pkey|check|fkey|key)[0-9]*$'`,
    );
    expect(rows).toEqual([]);
  });

  it.each([
    ['creators_slug_shape', "slug = 'Some-One'"],
    ['creators_youtube_not_negative', 'youtube_followers = -1, x_followers = 1, total_reach = 0'],
    ['creators_reach_not_negative', 'youtube_followers = -1, total_reach = -1'],
    ['creators_reach_is_sum', 'total_reach = total_reach + 1'],
    ['creators_platforms_known', `platforms = '[{"platform": "myspace"}]'`],
    ['creators_accounts_agree', 'youtube_followers = NULL, total_reach = 0'],
  ])('%s refuses %s', async (constraint, change) => {
    await catalog.importRecords([recordOf('checked')]);
    await expect(catalog.query(`UPDATE creators SET ${change} WHERE slug = 'checked'`)).rejects.toMatchObject(
      {
        constraint,
      },
    );
  });
});

it('entities and migrations agree about columns and keys', async () => {
  const { migrated, fromEntities } = await entitySchema({ name: 'catalog', migrations, entities });
  expect(migrated).toMatchObject(fromEntities);
});

it('the list of grants names every table, and no other', async () => {
  const tables = await catalog.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')`,
  );
  expect(Object.keys(grants).sort()).toEqual(tables.map(({ name }) => name).sort());
});

it.each([
  'TRUNCATE creators',
  'DELETE FROM catalog_state',
  'UPDATE catalog_state SET catalog_id = gen_random_uuid()',
  'CREATE TABLE own ()',
  'DROP FUNCTION removal_hash(bytea, text) CASCADE',
  "SET session_replication_role = 'replica'",
  "COPY creators TO PROGRAM 'cat'",
])('the role that the catalog runs with is refused: %s', async (sql) => {
  await expect(catalog.dataSource.query(sql)).rejects.toThrow(
    /permission denied|must be owner|must be superuser/,
  );
});
