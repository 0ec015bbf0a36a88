import { randomUUID } from 'node:crypto';
import { chunkOf, openCatalog, type CatalogFixture } from '../catalog.fixture.js';
import { recordOf } from '../creators/creator-records.fixture.js';
import { type ChunkPurpose } from './import.service.js';

let catalog: CatalogFixture;
beforeAll(async () => (catalog = await openCatalog()));
afterAll(() => catalog.close());

const linesPerChunk = 5;

/** Sends the lines in chunks, alternating between the two replicas. */
function send(purpose: ChunkPurpose, lines: readonly string[], importId: string) {
  const chunks = Array.from({ length: Math.ceil(lines.length / linesPerChunk) }, (_, seq) => {
    const first = seq * linesPerChunk;
    const chunk = { import_id: importId, seq, first_line: first + 1 };
    const bytes = chunkOf(lines.slice(first, first + linesPerChunk));
    return catalog.imports[seq % 2 === 0 ? 0 : 1].importChunk(chunk, bytes, undefined, purpose);
  });
  return Promise.all(chunks);
}

const stored = () =>
  catalog.query(
    `SELECT (SELECT revision FROM catalog_state),
       (SELECT md5(string_agg(creators::text, '|' ORDER BY slug)) FROM creators) AS creators,
       (SELECT md5(string_agg(creator_deletions::text, '|' ORDER BY slug)) FROM creator_deletions) AS deletions,
       (SELECT count(*) FROM imports) AS imports, (SELECT count(*) FROM import_chunks) AS chunks,
       (SELECT count(*) FROM import_slugs) AS slugs`,
  );

describe('a comparison', () => {
  it('reports what storing does afterwards, also for a slug of an earlier chunk, and leaves nothing behind', async () => {
    const known = Array.from({ length: 20 }, (_, at) => recordOf(`compared-${at}`));
    await catalog.importRecords(known);
    await catalog.creators.remove('compared-0');
    const changed = known.map((record, at) => (at % 4 === 1 ? { ...record, tagline: 'new' } : record));
    const added = [recordOf('compared-new'), recordOf('compared-3')];
    const lines = [...changed, 'bad', ...added].map((line) =>
      typeof line === 'string' ? line : JSON.stringify(line),
    );
    const before = await stored();
    const importId = randomUUID();
    const reports = await send('compare', lines, importId);
    expect(
      reports.map(({ created, updated, unchanged, rejected }) => [created, updated, unchanged, rejected]),
    ).toEqual([
      [1, 1, 3, 0],
      [0, 2, 3, 0],
      [0, 1, 4, 0],
      [0, 1, 4, 0],
      [1, 0, 0, 2],
    ]);
    expect(reports.at(-1)?.errors).toEqual([
      { line: 21, error: 'the line is not valid JSON' },
      { line: 23, error: 'duplicate slug: compared-3 is already on line 4; the first one counts' },
    ]);
    expect(await send('compare', lines, importId)).toEqual(reports);
    await catalog.imports[0].finish(importId);
    expect(await stored()).toEqual(before);
    expect(await send('store', lines, randomUUID())).toEqual(reports);
  });

  it('waits for no writer', async () => {
    const writer = catalog.dataSource.createQueryRunner();
    await writer.startTransaction();
    await writer.query('UPDATE catalog_state SET revision = revision');
    try {
      const lines = [JSON.stringify(recordOf('beside'))];
      expect(await send('compare', lines, randomUUID())).toMatchObject([{ created: 1 }]);
    } finally {
      await writer.rollbackTransaction();
      await writer.release();
    }
  });
});
