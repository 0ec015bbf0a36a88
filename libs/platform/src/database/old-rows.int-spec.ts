import { createTestDatabase, type TestDatabase } from '#testing';
import { DataSource } from 'typeorm';
import { postgresOptions } from './postgres.js';
import { deleteOldRows, type Query } from './query.js';
import { autocommitQuery } from './raw-connection.js';

let database: TestDatabase;
let dataSource: DataSource;
let query: Query;

const batchMax = 1_000;
const rows = { table: 'claims', where: 'import_id = $1', parameters: [1] };
const deleteOld = (run: Query): Promise<number> => deleteOldRows(run, 'delete claims', rows, batchMax);

/** A table that has just grown: its statistics are those of an empty one. */
beforeAll(async () => {
  database = await createTestDatabase({ name: 'catalog', migrations: [] });
  const { url } = database;
  const options = { url, poolSize: 1, applicationName: 'old-rows' };
  dataSource = await new DataSource(postgresOptions(options)).initialize();
  query = autocommitQuery(dataSource);
  await dataSource.query(
    'CREATE TABLE claims (import_id integer, key integer, PRIMARY KEY (import_id, key))',
  );
  await dataSource.query('ALTER TABLE claims SET (autovacuum_enabled = false)');
  await dataSource.query('ANALYZE claims');
  await dataSource.query('INSERT INTO claims SELECT at % 2, at FROM generate_series(1, 5000) AS at');
});

afterAll(async () => {
  await dataSource?.destroy();
  await database?.drop();
});

it('each batch finds its rows by their places, although no statistics know of them', async () => {
  const plan: string[] = [];
  const explained = async (name: Lowercase<string>, sql: string, parameters?: unknown[]) => {
    const lines = await query<{ 'QUERY PLAN': string }>(name, `EXPLAIN ${sql}`, parameters);
    plan.push(...lines.map((line) => line['QUERY PLAN'].trim()));
    return [];
  };
  await deleteOld(explained);
  expect(plan).toContainEqual(expect.stringContaining('->  Tid Scan on claims'));
  expect(plan).not.toContainEqual(expect.stringContaining('Seq Scan'));
});

it('deletes batch after batch, and only what meets the condition', async () => {
  const deleted: number[] = [];
  do deleted.push(await deleteOld(query));
  while (deleted.at(-1) === batchMax);
  expect(deleted).toEqual([1_000, 1_000, 500]);
  expect(await dataSource.query('SELECT import_id, count(*)::integer FROM claims GROUP BY 1')).toEqual([
    { import_id: 0, count: 2_500 },
  ]);
});
