import { randomUUID } from 'node:crypto';
import { chunkOf, openCatalog, type CatalogFixture } from '../catalog.fixture.js';
import { recordOf } from '../creators/creator-records.fixture.js';

let catalog: CatalogFixture;
beforeEach(async () => (catalog = await openCatalog()));
afterEach(() => catalog.close());

const full = 'the index is full (1000 creators, limit 800 MB). Give it more memory.';

async function published(): Promise<string[]> {
  const rows = await catalog.query<{ slug: string }>(
    'SELECT slug FROM creators WHERE published ORDER BY slug',
  );
  return rows.map(({ slug }) => slug);
}

describe('while the index has no memory for more creators', () => {
  const lines = [
    recordOf('shown', { name: 'Changed' }),
    recordOf('new'),
    recordOf('new-hidden', { published: false }),
    recordOf('hidden', { name: 'Changed', published: undefined }),
    recordOf('hidden-now-shown', { published: true }),
    recordOf('new'),
  ].map((record) => JSON.stringify(record));

  beforeEach(async () => {
    const hidden = ['hidden', 'hidden-now-shown'].map((slug) => recordOf(slug, { published: false }));
    await catalog.importRecords([recordOf('shown'), ...hidden]);
    catalog.index.full = full;
  });

  const expected = {
    received: 6,
    created: 1,
    updated: 2,
    unchanged: 0,
    rejected: 3,
    errors: [
      { line: 2, error: `not stored: ${full}` },
      { line: 5, error: `not stored: ${full}` },
      { line: 6, error: 'duplicate slug: new is already on line 2; the first one counts' },
    ],
  };

  it('an import changes known creators, and rejects each line that would publish another one', async () => {
    expect(await catalog.importLines(lines)).toMatchObject(expected);
    expect(await published()).toEqual(['shown']);
    expect(await catalog.creators.show('shown')).toMatchObject({ name: 'Changed' });
    expect(await catalog.creators.show('hidden')).toMatchObject({ name: 'Changed', published: false });
    expect(await catalog.creators.show('hidden-now-shown')).toMatchObject({ published: false });
  });

  it('a dry run reports the same', async () => {
    const chunk = { import_id: randomUUID(), seq: 0, first_line: 1 };
    const report = await catalog.imports[0].importChunk(chunk, chunkOf(lines), undefined, 'compare');
    expect(report).toMatchObject(expected);
  });

  it('an operator can change and hide creators, but not publish another one', async () => {
    const { creators } = catalog;
    const conflict = { code: 'conflict', message: `This creator can't be published: ${full}` };
    await expect(creators.put('new', recordOf('new'))).rejects.toMatchObject(conflict);
    await expect(creators.publish('hidden', true)).rejects.toMatchObject(conflict);
    expect(await creators.put('shown', recordOf('shown', { name: 'Changed' }))).toMatchObject({
      created: false,
    });
    await creators.publish('shown', true);
    await creators.publish('shown', false);
    expect(await published()).toEqual([]);
  });

  it('and after it got more, everything is stored again', async () => {
    catalog.index.full = null;
    expect(await catalog.importLines(lines)).toMatchObject({ created: 2, updated: 3, rejected: 1 });
    expect(await published()).toEqual(['hidden-now-shown', 'new', 'shown']);
  });
});
