import { type CatalogFixture, openCatalog } from '../catalog.fixture.js';
import { recordOf } from '../creators/creator-records.fixture.js';
import { grants } from './grants.js';

let catalog: CatalogFixture;

beforeAll(async () => {
  catalog = await openCatalog();
  await catalog.importRecords([recordOf('one')]);
});

afterAll(() => catalog.close());

it('the list of grants names every table, and no other', async () => {
  const tables = await catalog.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')`,
  );
  expect(Object.keys(grants).sort()).toEqual(tables.map(({ name }) => name).sort());
});

it.each([
  'TRUNCATE creators',
  'DROP TABLE creators',
  'ALTER TABLE catalog_state DISABLE TRIGGER USER',
  'DELETE FROM catalog_state',
  'UPDATE catalog_state SET catalog_id = gen_random_uuid()',
  'DELETE FROM migrations',
  'CREATE TABLE own ()',
  'CREATE INDEX ON creators (name)',
  'DROP INDEX creators_by_revision',
  'DROP FUNCTION announce_revision() CASCADE',
  'DROP EXTENSION pg_trgm CASCADE',
  "SET session_replication_role = 'replica'",
  "COPY creators TO PROGRAM 'cat'",
])('the role that the catalog runs with is refused: %s', async (sql) => {
  await expect(catalog.dataSource.query(sql)).rejects.toThrow(
    /permission denied|must be owner|must be superuser/,
  );
});
