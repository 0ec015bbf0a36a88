import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { criteriaArbitrary, keyOf, randomDocuments } from '../documents/random-documents.fixture.js';
import { accountsOf, EntryWriter } from '../documents/search-entry.js';
import { BitmapIndex } from '../search/bitmap-index.js';
import { HeldBuilder } from '../search/held-builder.fixture.js';
import { buildSegment } from './build-segment.js';
import { formatVersion } from './sections.js';
import { type SegmentInUse, Tombstones } from './segment-in-use.js';
import { Segment } from './segment.js';
import { type IndexSnapshot, SnapshotStore } from './snapshot-store.js';

const writer = new EntryWriter('https://site.example');
let directory: string;
let store: SnapshotStore;
const manifest = (): string => join(directory, 'index.json');

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'snapshot-'));
  store = new SnapshotStore(directory);
});
afterEach(() => rm(directory, { recursive: true }));

/** A segment whose documents share no slug with a segment of another number. */
function segmentOf(number: number, count: number, gonePerCent = 20): SegmentInUse {
  const documents = randomDocuments(count, number).map(({ slug, record, ...rest }) => ({
    slug: `${number}-${slug}`,
    record: `${number}-${record}`,
    ...rest,
  }));
  const segment = new Segment(buildSegment(documents));
  const gone = new Tombstones(segment.size);
  for (let document = 0; document < count; document++) {
    if ((document * 37) % 100 < gonePerCent) gone.add(document);
  }
  return { segment, gone };
}

const snapshotOf = (...segments: SegmentInUse[]): IndexSnapshot => ({
  catalogId: '0b6c54ea-5d62-4d6c-9a3c-f3a1f9a1e001',
  revision: 17,
  segments,
});

function indexOf(snapshot: IndexSnapshot | null): BitmapIndex {
  if (!snapshot) throw new Error('no snapshot');
  return new BitmapIndex(writer, new HeldBuilder(), snapshot.segments, snapshot.revision);
}

const filesOf = async (pattern: RegExp): Promise<string[]> =>
  (await readdir(directory)).filter((name) => pattern.test(name)).sort();

async function changeManifest(change: (text: string) => string): Promise<void> {
  await writeFile(manifest(), change(await readFile(manifest(), 'utf8')));
}

describe('a snapshot that was saved', () => {
  it('answers as the index did: the same segments, and the same of them gone', async () => {
    const saved = snapshotOf(
      segmentOf(1, 500),
      segmentOf(2, 33, 0),
      segmentOf(3, 4, 100),
      segmentOf(4, 64, 95),
    );
    await store.save(saved);
    const loaded = await new SnapshotStore(directory).load();
    expect(loaded).toMatchObject({ catalogId: saved.catalogId, revision: saved.revision });
    expect(loaded?.segments.map(({ gone }) => gone)).toEqual(saved.segments.map(({ gone }) => gone));
    const [before, after] = [indexOf(saved), indexOf(loaded)];
    expect(after.documents).toBe(before.documents);
    fc.assert(
      fc.property(criteriaArbitrary, (criteria) => {
        expect(after.search(criteria)).toEqual(before.search(criteria));
      }),
    );
    expect(after.filters()).toEqual(before.filters());
    const keys = saved.segments.flatMap(({ segment }) => accountsOf(segment.record(0)).map(keyOf));
    const find = (index: BitmapIndex) =>
      keys.map((key) => index.findByAccount(key, (account) => keyOf(account) === key));
    expect(find(after)).toEqual(find(before));
    expect(find(after).filter((slug) => slug !== null)).not.toEqual([]);
  });

  it('may be without any document, and in a directory that does not exist yet', async () => {
    const deeper = new SnapshotStore(join(directory, 'a', 'b'));
    expect(await deeper.load()).toBeNull();
    await deeper.save(snapshotOf());
    expect(await deeper.load()).toEqual(snapshotOf());
  });

  it('is not read when it is not wanted, which its state and its size decide', async () => {
    const saved = snapshotOf(segmentOf(1, 40), segmentOf(2, 10));
    await store.save(saved);
    const bytes = saved.segments.reduce((sum, { segment }) => sum + segment.buffer.byteLength, 0);
    const asked: unknown[] = [];
    const loaded = await store.load((state, size) => {
      asked.push([state.revision, size]);
      return Promise.resolve(false);
    });
    expect([loaded, asked]).toEqual([null, [[17, bytes]]]);
  });

  it('has the deletions from before its saving began, not those made meanwhile', async () => {
    const inUse = segmentOf(1, 40, 0);
    const saving = store.save(snapshotOf(inUse));
    inUse.gone.add(0);
    await saving;
    expect(indexOf(await store.load()).documents).toBe(40);
  });
});

describe('the files', () => {
  it('of segments that are still in use are not written again, even after a restart, unless they were removed', async () => {
    const kept = segmentOf(1, 40);
    await store.save(snapshotOf(kept));
    const [file = ''] = await filesOf(/segment$/);
    const written = await stat(join(directory, file));
    await store.save(snapshotOf(kept, segmentOf(2, 10)));
    const loaded = await new SnapshotStore(directory).load();
    expect(loaded?.segments).toHaveLength(2);
    const restarted = new SnapshotStore(directory);
    await restarted.save(snapshotOf(...((await restarted.load())?.segments ?? [])));
    expect(await filesOf(/segment$/)).toContain(file);
    expect(await stat(join(directory, file))).toMatchObject({ ino: written.ino, mtimeMs: written.mtimeMs });
    await rm(join(directory, file));
    await restarted.save(snapshotOf(...(loaded?.segments ?? [])));
    expect(await filesOf(/segment$/)).toHaveLength(2);
  });

  it('of older snapshots and of interrupted writes are removed, others are kept', async () => {
    await store.save(snapshotOf(segmentOf(1, 40), segmentOf(2, 40)));
    const old = await filesOf(/segment$/);
    await writeFile(join(directory, 'x.segment.unfinished'), 'cut');
    await writeFile(join(directory, 'lost.segment'), 'unknown');
    await writeFile(join(directory, 'notes.txt'), 'of an operator');
    await store.save(snapshotOf(segmentOf(3, 40)));
    const left = await filesOf(/./);
    expect(left).toEqual(expect.arrayContaining(['index.json', 'notes.txt']));
    expect(left).toHaveLength(3);
    for (const file of old) expect(left).not.toContain(file);
    expect(indexOf(await store.load()).documents).toBe(32);
  });
});

describe('a snapshot is refused', () => {
  beforeEach(() => store.save(snapshotOf(segmentOf(1, 40))));

  it('when any byte of a file has changed', async () => {
    const [file = ''] = await filesOf(/segment$/);
    const path = join(directory, file);
    const bytes = await readFile(path);
    for (let place = 0; place < bytes.length; place += Math.ceil(bytes.length / 40)) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ (1 << (place % 8));
      await writeFile(path, changed);
      await expect(store.load()).rejects.toThrow(`${file} is damaged`);
    }
    await writeFile(path, bytes.subarray(0, -1));
    await expect(store.load()).rejects.toThrow('damaged');
    await rm(path);
    await expect(store.load()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('when its manifest was cut short anywhere', async () => {
    const text = await readFile(manifest(), 'utf8');
    for (let length = 0; length < text.length; length += 7) {
      await writeFile(manifest(), text.slice(0, length));
      await expect(store.load()).rejects.toThrow(SyntaxError);
    }
  });

  it('when its manifest has another format, or is missing', async () => {
    // The texts are folded by another version of the rule, or of Unicode.
    expect(await new SnapshotStore(directory, '2/unicode-99.0').load()).toBeNull();
    const format = `"format":${formatVersion}`;
    await changeManifest((text) => text.replace(format, `"format":${formatVersion + 1}`));
    expect(await store.load()).toBeNull();
    await changeManifest(() => '{}');
    expect(await store.load()).toBeNull();
    await rm(manifest());
    expect(await store.load()).toBeNull();
  });

  it('when a file has another format, although its checksum is right', async () => {
    const inUse = segmentOf(2, 10);
    new Uint32Array(inUse.segment.buffer)[1] = formatVersion + 1;
    await store.save(snapshotOf(inUse));
    await expect(store.load()).rejects.toThrow('not an index of this version');
  });

  it('when one character of its manifest has changed in the deletions or the revision', async () => {
    const text = await readFile(manifest(), 'utf8');
    for (const changed of [text.replace(/"gone":"./, '"gone":"B'), text.replace(':17,', ':16,')]) {
      expect(changed).not.toBe(text);
      await writeFile(manifest(), changed);
      await expect(store.load()).rejects.toThrow('damaged');
    }
  });
});
