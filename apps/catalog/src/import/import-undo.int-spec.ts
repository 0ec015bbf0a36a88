import { randomUUID } from 'node:crypto';
import { type ImportOrigin, type ImportRules } from '#contracts';
import { propertyRuns } from '#testing';
import fc from 'fast-check';
import { type CatalogFixture, openCatalog } from '../catalog.fixture.js';
import { on, operator, recordOf } from '../creators/creator-records.fixture.js';
import { importsOn } from './import.fixture.js';

let catalog: CatalogFixture;
beforeAll(async () => (catalog = await openCatalog()));
afterAll(() => catalog.close());

/** Imports records as chunks of two; returns the id of the import. */
async function importAll(records: readonly object[], rules: Partial<ImportRules> & ImportOrigin = {}) {
  const origin = { source: 'a supplier', file: 'list.csv', by: operator('request') };
  return (await catalog.importFile(records, { perChunk: 2, ...origin, ...rules })).id;
}

const stored = async () => ({
  creators: await catalog.query(
    `SELECT slug, published, source, content_hash, account_keys, platforms FROM creators ORDER BY slug`,
  ),
  accounts: await catalog.query('SELECT * FROM creator_accounts ORDER BY key'),
  counts: await catalog.query(
    `SELECT account_counts.* FROM account_counts JOIN creator_accounts ON key = account ORDER BY account, day`,
  ),
});

it('an import is in the list, with who sent what and its counts; a dry run is not', async () => {
  const id = await importAll([recordOf('listed'), recordOf('listed'), recordOf('listed-2')]);
  await catalog.importFile([recordOf('compared')], { purpose: 'compare' });
  expect(await importsOn(catalog.dataSource).list(10, undefined)).toEqual([
    {
      ...{ id, source: 'a supplier', file: 'list.csv', operator: 'Eva', mode: 'replace' },
      ...{ received: 3, created: 2, updated: 0, unchanged: 0, removed: 0, rejected: 1 },
      started_at: expect.any(String) as string,
      finished_at: expect.any(String) as string,
      undone_at: null,
    },
  ]);
});

describe('undoing an import', () => {
  it('leaves what has changed since as it is, and counts it; a second time does nothing', async () => {
    await importAll(['a', 'b', 'c'].map((name) => recordOf(`since-${name}`)));
    const names = ['a', 'b', 'c', 'new'];
    const id = await importAll(names.map((name) => recordOf(`since-${name}`, { tagline: 'imported' })));
    await catalog.creators.put('since-a', recordOf('since-a', { tagline: 'by hand' }));
    await catalog.creators.publish('since-b', false);
    const counts = { restored: 1, deleted: 1, skipped: 2, done: true };
    expect(await catalog.undoing.undo(id, operator('undoing'))).toEqual(counts);
    const logged = await catalog.query(`SELECT action, subject FROM admin_log WHERE request_id = 'undoing'`);
    expect(logged).toEqual(Array.from({ length: 2 }, () => ({ action: 'import.undone', subject: id })));
    const taglines = names
      .slice(0, 3)
      .map(async (name) => (await catalog.creators.show(`since-${name}`)).tagline);
    expect(await Promise.all(taglines)).toEqual(['by hand', 'imported', '']);
    expect(await catalog.undoing.undo(id)).toEqual({ restored: 0, deleted: 0, skipped: 0, done: true });
    await expect(catalog.undoing.undo(randomUUID())).rejects.toMatchObject({ code: 'not_found' });
  });

  it('brings nobody back who was removed since, and keeps nothing of them', async () => {
    await importAll([recordOf('person')]);
    const id = await importAll([recordOf('person', { tagline: 'new' })]);
    await catalog.removals.remove({ slug: 'person', reference: 'by mail' });
    expect(await catalog.query(`SELECT FROM import_changes WHERE slug = 'person'`)).toEqual([]);
    expect(await catalog.undoing.undo(id)).toMatchObject({ restored: 0 });
    await expect(catalog.creators.show('person')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is no longer possible after 30 days, when nothing is kept of what was before', async () => {
    const id = await importAll([recordOf('old-import')]);
    await catalog.query(`UPDATE imports SET started_at = now() - interval '31 days' WHERE id = $1`, [id]);
    await importsOn(catalog.dataSource).sweep();
    expect(await catalog.undoing.undo(id)).toMatchObject({ deleted: 0, done: true });
    expect(await catalog.creators.show('old-import')).toMatchObject({ slug: 'old-import' });
  });

  it('makes everything as it was before, whatever the imports were', async () => {
    const slug = fc.constantFrom('undo-1', 'undo-2', 'undo-3', undefined);
    const handle = fc.constantFrom('undo_a', 'undo_b', 'undo_c');
    const record = fc
      .record({ slug, x: handle, tiktok: handle, followers: fc.nat(3), tagline: fc.constantFrom('', 'one') })
      .map(({ x, tiktok, followers, ...changes }) => {
        const platforms = [on('x', x, { followers }), on('tiktok', tiktok, { followers })];
        return recordOf('undo', { ...changes, platforms });
      });
    const rules = fc.record({
      mode: fc.constantFrom('replace', 'merge'),
      move_accounts: fc.boolean(),
      source: fc.constantFrom(undefined, 'one', 'two'),
    });
    const file = fc.tuple(fc.array(record, { minLength: 1, maxLength: 6 }), rules);
    await fc.assert(
      fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 3 }), async (files) => {
        const before = [];
        const ids = [];
        for (const [records, given] of files) {
          before.push(await stored());
          ids.push(await importAll(records, given));
        }
        for (const id of ids.toReversed()) {
          expect(await catalog.undoing.undo(id)).toMatchObject({ skipped: 0, done: true });
          expect(await stored()).toEqual(before.pop());
        }
      }),
      { numRuns: propertyRuns(15) },
    );
  }, 60_000);
});
