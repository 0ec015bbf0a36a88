import { appendFile, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { ArchiveReader, writeArchive } from './archive-files.js';
import { ArchiveIndex, type Block } from './archive-index.js';
import { type ArchivedEntry, headerLine } from './archived-entry.js';

const accounts = [1, 2, 3, 4].map((number) => `0198c0de-0000-7000-8000-00000000000${number}`);
const lotId = '0198c0de-0000-7000-8000-0000000000aa';
const month = '2026-11';

let directory: string;
beforeAll(async () => (directory = await mkdtemp(join(tmpdir(), 'archives-'))));
afterAll(() => rm(directory, { recursive: true }));

/** About 300 bytes, so that a few thousand entries fill several blocks. */
function lineOf(accountId: string, id: number): string {
  const request = `"request ${id}, with a comma ${'x'.repeat(150)}"`;
  return `${accountId},${id},2026-11-02T03:04:05.678Z,charge,-2,${1_000 - id},${lotId},,${lotId},2,posted,search,${request},${lotId},,country,7,2026-11-02T03:04:05.678Z,\n`;
}

interface Line {
  readonly accountId: string;
  readonly id: number;
}

/** As PostgreSQL sends them: in chunks that are cut anywhere. */
async function* chunksOf(lines: readonly Line[]): AsyncGenerator<Buffer> {
  const all = Buffer.from(lines.map(({ accountId, id }) => lineOf(accountId, id)).join(''));
  for (let at = 0; at < all.length; at += 10_007) yield await Promise.resolve(all.subarray(at, at + 10_007));
}

async function collect<Item>(items: AsyncIterable<Item>, most = Infinity): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) {
    collected.push(item);
    if (collected.length >= most) break;
  }
  return collected;
}

const placeOf = ({ accountId, id }: ArchivedEntry): Line => ({ accountId, id: Number(id) });

/** Accounts in their order, each with ascending ids: few or thousands. */
const linesOf: fc.Arbitrary<Line[]> = fc
  .tuple(
    fc.subarray(accounts),
    fc.array(fc.constantFrom(0, 1, 2, 900, 3_000), { minLength: 4, maxLength: 4 }),
    fc.integer({ min: 1, max: 3 }),
  )
  .map(([chosen, counts, step]) =>
    chosen.flatMap((accountId, at) =>
      Array.from({ length: counts[at] ?? 0 }, (_, number) => ({ accountId, id: 1 + number * step })),
    ),
  );

it('an archive has every entry once, by account backwards from any id, and is read by any tool for gzip', async () => {
  await fc.assert(
    fc.asyncProperty(linesOf, fc.integer({ min: 0, max: 9_500 }), async (lines, before) => {
      const facts = await writeArchive(directory, month, chunksOf(lines));
      const file = await readFile(join(directory, `ledger-${month}.csv.gz`));
      const text = lines.map(({ accountId, id }) => lineOf(accountId, id)).join('');
      expect(gunzipSync(file).toString()).toBe(headerLine + text);
      const archive = await ArchiveReader.open(directory, month);
      for (const account of accounts) {
        const wanted = lines.filter(({ accountId, id }) => accountId === account && id < before).reverse();
        expect((await collect(archive.entriesBefore(account, String(before)))).map(placeOf)).toEqual(wanted);
        const page = await collect(archive.entriesBefore(account, String(before)), 50);
        expect(page.map(placeOf)).toEqual(wanted.slice(0, 50));
      }
      const { entries, ...found } = await readAll(archive);
      await archive.close();
      expect(entries).toEqual(lines);
      expect({ ...found, entries: entries.length, month }).toEqual(facts);
    }),
    { numRuns: 25 },
  );
});

it('an entry is read with its charge, whatever its caller wrote', async () => {
  await writeArchive(directory, month, chunksOf([{ accountId: lotId, id: 7 }]));
  const archive = await ArchiveReader.open(directory, month);
  expect(await collect(archive.entriesBefore(lotId, '8'))).toEqual([
    {
      accountId: lotId,
      id: '7',
      at: new Date('2026-11-02T03:04:05.678Z'),
      type: 'charge',
      credits: -2,
      balanceAfter: 993,
      lotId,
      adjustmentId: null,
      charge: {
        id: lotId,
        credits: 2,
        state: 'posted',
        operation: 'search',
        requestId: `request 7, with a comma ${'x'.repeat(150)}`,
        keyId: lotId,
      },
    },
  ]);
  await archive.close();
});

it('a file that was changed has another hash, cannot be unpacked, or is too short', async () => {
  const lines = accounts.map((accountId) => ({ accountId, id: 1 }));
  const path = join(directory, `ledger-${month}.csv.gz`);
  const { sha256 } = await writeArchive(directory, month, chunksOf(lines));
  await appendFile(path, 'more');
  expect((await reread()).sha256).not.toBe(sha256);
  await writeArchive(directory, month, chunksOf(lines));
  const file = await open(path, 'r+');
  await file.write(Buffer.from([0xff]), 0, 1, 0);
  expect((await reread()).sha256).not.toBe(sha256);
  await file.truncate(100);
  await file.close();
  await expect(reread()).rejects.toThrow('shorter than its index says');
});

it('an index that is not that of the file is refused, or leaves entries out', async () => {
  const lines = Array.from({ length: 3_000 }, (_, id) => ({ accountId: lotId, id }));
  const index = join(directory, `ledger-${month}.index.gz`);
  const facts = await writeArchive(directory, month, chunksOf(lines));
  const { blocks } = await ArchiveIndex.read(index);
  const [first, second] = blocks as [Block, Block, ...Block[]];
  const others: Block[][] = [
    [first, first, second],
    [{ ...first, id: '1' }, ...blocks.slice(1)],
    [{ ...first, bytes: facts.bytes }],
    [{ ...first, bytes: 1e12 }],
    [{ ...first, offset: NaN }],
  ];
  for (const other of others) {
    await new ArchiveIndex(other).write(index);
    await expect(reread()).rejects.toThrow();
  }
  for (let at = 0; at < blocks.length; at += 1) {
    await new ArchiveIndex(blocks.toSpliced(at, 1)).write(index);
    const archive = await ArchiveReader.open(directory, month);
    const { entries, ...found } = await readAll(archive).finally(() => archive.close());
    expect(entries.length).toBeLessThan(facts.entries);
    expect(found).toMatchObject({ sha256: facts.sha256, bytes: facts.bytes });
  }
});

it('what is no line is refused, and no archive stands under its name', async () => {
  await rm(join(directory, `ledger-${month}.csv.gz`));
  const broken = async function* () {
    yield await Promise.resolve(Buffer.from('no line\n'));
  };
  await expect(writeArchive(directory, month, broken())).rejects.toThrow('not a line of an archive: no line');
  await expect(ArchiveReader.open(directory, month)).rejects.toMatchObject({ code: 'ENOENT' });
});

async function reread(): Promise<{ readonly sha256: string }> {
  const archive = await ArchiveReader.open(directory, month);
  return readAll(archive).finally(() => archive.close());
}

async function readAll(archive: ArchiveReader) {
  const [blocks, entries] = [archive.blocks(), [] as Line[]];
  for (;;) {
    const { done, value } = await blocks.next();
    if (done) return { ...value, entries };
    entries.push(...value.map(placeOf));
  }
}
