import { randomUUID } from 'node:crypto';
import { type ImportReport } from '#contracts';
import { mapDatabaseError } from '#platform';
import { chunkOf, openCatalog, type CatalogFixture, replaceRules } from '../catalog.fixture.js';
import { recordOf } from '../creators/creator-records.fixture.js';
import { importServiceOn, importsOn } from './import.fixture.js';
import { type ChunkPurpose } from './import.service.js';

let catalog: CatalogFixture;
beforeAll(async () => (catalog = await openCatalog()));
afterAll(() => catalog.close());

const json = (records: readonly object[]) => records.map((record) => JSON.stringify(record));
const manyRecords = (prefix: string, count: number, changes = {}) =>
  Array.from({ length: count }, (_, at) => recordOf(`${prefix}-${at}`, changes));

async function nameOf(slug: string): Promise<string> {
  return (await catalog.creators.show(slug)).name;
}

/** Sends the lines as chunks of so many lines, alternating between the two replicas, all at once and last first. */
async function sendChunks(
  lines: readonly string[],
  linesPerChunk: number,
  importId: string,
  purpose: ChunkPurpose = 'store',
): Promise<ImportReport[]> {
  const chunks = Array.from({ length: Math.ceil(lines.length / linesPerChunk) }, (_, seq) => {
    const first = seq * linesPerChunk;
    return {
      seq,
      first_line: first + 1,
      ...replaceRules,
      bytes: chunkOf(lines.slice(first, first + linesPerChunk)),
    };
  });
  const sent = chunks
    .reverse()
    .map(({ bytes, ...chunk }) =>
      catalog.imports[chunk.seq % 2 === 0 ? 0 : 1].importChunk(
        { import_id: importId, ...chunk },
        bytes,
        undefined,
        purpose,
      ),
    );
  return (await Promise.all(sent)).reverse();
}

describe('an import', () => {
  it('counts the same record, written differently, as unchanged', async () => {
    const record = recordOf('rewritten', { categories: ['Food & Drink'] });
    await catalog.importRecords([record]);
    const { slug, platforms, ...rest } = record;
    const account = { ...platforms[0], handle: '@rewritten', updated_at: '2024-01-02T05:04:05+02:00' };
    const rewritten = { platforms: [account], ...rest, categories: ['food-drink'], published: true, slug };
    expect(await catalog.importRecords([rewritten])).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
  });
});

describe('the chunks of an import', () => {
  it('return their stored report when they are resent, at once or later, and change nothing', async () => {
    const chunk = { import_id: randomUUID(), seq: 0, first_line: 1, ...replaceRules };
    const bytes = chunkOf([...json(manyRecords('again', 50)), 'bad']);
    const [first, second] = await Promise.all(
      catalog.imports.map((replica) => replica.importChunk(chunk, bytes)),
    );
    expect(first).toMatchObject({ received: 51, created: 50, rejected: 1 });
    expect(second).toEqual(first);
    await catalog.importRecords([recordOf('again-0', { name: 'Changed meanwhile' })]);
    expect(await catalog.imports[1].importChunk(chunk, bytes)).toEqual(first);
    expect(await nameOf('again-0')).toBe('Changed meanwhile');
  });

  it('take turns on two replicas, in whatever order they arrive: of the lines with one slug the first wins', async () => {
    const lines = json(
      Array.from({ length: 400 }, (_, at) => recordOf(`turn-${at % 150}`, { name: `Line ${at + 1}` })),
    );
    lines[200] = 'bad';
    const importId = randomUUID();
    const reports = await sendChunks(lines, 40, importId);
    expect(reports.reduce((sum, { created }) => sum + created, 0)).toBe(150);
    const errors = reports.flatMap((report) => report.errors);
    expect(errors.map(({ line }) => line)).toEqual(Array.from({ length: 250 }, (_, at) => at + 151));
    expect(errors[0]?.error).toContain('already on line 1');
    for (const at of [0, 39, 40, 149]) expect(await nameOf(`turn-${at}`)).toBe(`Line ${at + 1}`);
    const again = await sendChunks(lines, 40, importId);
    expect(again).toEqual(reports);
  });

  it('are unavailable when the previous one does not arrive', async () => {
    const chunk = { import_id: randomUUID(), seq: 1, first_line: 2, ...replaceRules };
    const bytes = chunkOf(json([recordOf('orphan')]));
    const impatient = importServiceOn(catalog.dataSource, undefined, { turnWaitMs: 100 });
    await expect(impatient.importChunk(chunk, bytes)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(catalog.creators.show('orphan')).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['another writer', 'UPDATE catalog_state SET revision = revision'],
    ['another chunk of the same import', 'UPDATE imports SET next_seq = next_seq'],
  ])('that wait for %s for too long are unavailable, store nothing, and succeed later', async (who, lock) => {
    const slug = `waits-${who.replaceAll(' ', '-')}`;
    const chunk = { import_id: randomUUID(), seq: 1, first_line: 2, ...replaceRules };
    const bytes = chunkOf(json([recordOf(slug)]));
    await catalog.imports[0].importChunk({ ...chunk, seq: 0, first_line: 1 }, chunkOf(['bad']));
    const other = catalog.dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query(lock);
    try {
      const impatient = importServiceOn(catalog.dataSource, undefined, { statementMs: 200 });
      const error: unknown = await impatient.importChunk(chunk, bytes).catch((reason: unknown) => reason);
      expect(mapDatabaseError(error)).toMatchObject({ code: 'unavailable' });
      await expect(catalog.creators.show(slug)).rejects.toMatchObject({ code: 'not_found' });
    } finally {
      await other.rollbackTransaction();
      await other.release();
    }
    expect(await catalog.imports[1].importChunk(chunk, bytes)).toMatchObject({ created: 1, errors: [] });
  });
});

describe('the working data of an import', () => {
  const traces = (importId: string) =>
    catalog.query<{ rows: number }>(
      `SELECT ((SELECT count(*) FROM imports WHERE id = $1 AND finished_at IS NULL) + (SELECT count(*) FROM import_chunks WHERE import_id = $1)
         + (SELECT count(*) FROM import_claims WHERE import_id = $1))::integer AS rows`,
      [importId],
    );

  it('is deleted when it is finished; finishing twice, or an import that never began, does no harm', async () => {
    const importId = randomUUID();
    await sendChunks(json(manyRecords('finished', 30)), 10, importId);
    expect(await traces(importId)).toEqual([{ rows: 34 }]);
    await Promise.all(catalog.imports.map((replica) => replica.finish(importId)));
    await catalog.imports[0].finish(importId);
    await catalog.imports[0].finish(randomUUID());
    expect(await traces(importId)).toEqual([{ rows: 0 }]);
  });

  it('is swept when the import was not continued for an hour, even by two replicas at once', async () => {
    const [abandoned, running] = [randomUUID(), randomUUID()];
    await sendChunks(json(manyRecords('abandoned', 30)), 10, abandoned);
    await sendChunks(json(manyRecords('running', 30)), 10, running);
    const age = (importId: string, minutes: number) =>
      catalog.query(`UPDATE imports SET touched_at = now() - make_interval(mins => $2) WHERE id = $1`, [
        importId,
        minutes,
      ]);
    await age(abandoned, 61);
    await age(running, 59);
    const imports = importsOn(catalog.dataSource);
    await Promise.all([imports.sweep(), imports.sweep()]);
    expect(await traces(abandoned)).toEqual([{ rows: 0 }]);
    expect(await traces(running)).toEqual([{ rows: 34 }]);
  });
});

it('a deletion is noted for a week, unless the creator comes back', async () => {
  const noted = async () =>
    (await catalog.query<{ slug: string }>('SELECT slug FROM creator_deletions ORDER BY slug')).map(
      ({ slug }) => slug,
    );
  const records = ['noted-a', 'noted-b'].map((slug) => recordOf(slug));
  await catalog.importRecords(records);
  for (const { slug } of records) await catalog.creators.remove(slug);
  expect(await noted()).toEqual(['noted-a', 'noted-b']);
  await catalog.importRecords(records.slice(0, 1));
  expect(await noted()).toEqual(['noted-b']);
  await catalog.query(`UPDATE creator_deletions SET deleted_at = now() - interval '8 days'`);
  await importsOn(catalog.dataSource).sweep();
  expect(await noted()).toEqual([]);
});

describe('while the index has no memory for more creators', () => {
  const full = 'the index is full (1000 creators, limit 800 MB). Give it more memory.';
  const lines = json([
    recordOf('full-shown', { name: 'Changed' }),
    recordOf('full-new'),
    recordOf('full-hidden', { name: 'Changed', published: undefined }),
    recordOf('full-to-show', { published: true }),
    recordOf('full-new'),
  ]);
  const published = async () => {
    const rows = await catalog.query<{ slug: string }>(
      "SELECT slug FROM creators WHERE published AND slug LIKE 'full-%' ORDER BY slug",
    );
    return rows.map(({ slug }) => slug);
  };

  it('known ones can be changed and hidden, another one is published neither by an import nor by an operator', async () => {
    const hidden = ['full-hidden', 'full-to-show'].map((slug) => recordOf(slug, { published: false }));
    await catalog.importRecords([recordOf('full-shown'), ...hidden]);
    catalog.index.full = full;
    const expected = {
      ...{ received: 5, created: 0, updated: 2, unchanged: 0, rejected: 3 },
      errors: [
        { line: 2, error: `not stored: ${full}` },
        { line: 4, error: `not stored: ${full}` },
        { line: 5, error: 'duplicate slug: full-new is already on line 2; the first one counts' },
      ],
    };
    expect(await sendChunks(lines, 6, randomUUID(), 'compare')).toMatchObject([expected]);
    expect(await catalog.importLines(lines)).toMatchObject(expected);
    expect(await published()).toEqual(['full-shown']);
    expect(await nameOf('full-hidden')).toBe('Changed');

    const conflict = { code: 'conflict', message: `This creator can't be published: ${full}` };
    const { creators } = catalog;
    await expect(creators.put('full-new', recordOf('full-new'))).rejects.toMatchObject(conflict);
    await expect(creators.publish('full-hidden', true)).rejects.toMatchObject(conflict);
    await creators.put('full-shown', recordOf('full-shown'));
    await creators.publish('full-shown', true);
    await creators.publish('full-shown', false);
    expect(await published()).toEqual([]);

    catalog.index.full = null;
    expect(await catalog.importLines(lines)).toMatchObject({ created: 1, rejected: 1 });
    expect(await published()).toEqual(['full-new', 'full-to-show']);
  });
});
