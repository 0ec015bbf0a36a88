import { eventually } from '#testing';
import { admin, succeeded } from '../support/admin-api.js';
import { KeyPool } from '../support/key-pool.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const pool = new KeyPool();
const { country } = catalog;
const records = ['one', 'two', 'three'].map((name) => catalog.record(name));
catalog.adopt(...records.map(({ slug }) => slug));

const importLines = async (...lines: readonly string[]) =>
  succeeded(await admin.importLines(lines.join('\r\n\n  \n')));

// Lines and chunks: apps/catalog/src/import, apps/gateway/src/admin/import.
it('an import reports created, unchanged, updated and rejected, and is visible to searches within a second', async () => {
  const lines = records.map((record) => JSON.stringify(record));
  const counts = { received: 3, created: 0, updated: 0, unchanged: 0, removed: 0, rejected: 0 };
  const report = { ...counts, errors: [], reasons: [], unknown_names: [country], removed_lines: [] };
  expect(await importLines(...lines)).toEqual({ ...report, created: 3 });
  expect(await importLines(...lines)).toEqual({ ...report, unchanged: 3 });
  const [one = '', ...others] = lines;
  const changed = JSON.stringify({ ...records[0], name: 'Quickly visible' });
  expect(await importLines(changed, ...others)).toEqual({ ...report, updated: 1, unchanged: 2 });
  await eventually(async () => {
    expect((await pool.search({ country, q: 'quickly' })).total).toBe(1);
  }, 1_000);
  const broken = await importLines('{broken', one);
  expect(broken).toMatchObject({ received: 2, updated: 1, rejected: 1 });
  expect(broken.errors.map(({ line }) => line)).toEqual([1]);
});
