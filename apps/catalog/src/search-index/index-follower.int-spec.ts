import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { changesPerSegment } from '#creator-index';
import { until } from '#testing';
import { useKeptCatalog } from './kept-index.fixture.js';
import { RevisionListener } from './revision-listener.js';

const kept = useKeptCatalog();

/** Not the copy that jest gives a test, which receives no events. */
const realProcess = runInThisContext('process') as NodeJS.Process;

it("segments that can't be added are added a moment later, without a notification; the process goes on", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): unknown => unhandled.push(error);
  realProcess.on('unhandledRejection', note);
  try {
    await kept().silence();
    const index = await kept().replica({ followEveryMs: 3_600_000 });
    await index.open();
    await kept().untilListening();
    await index.manager.catchUp();
    const { index: bitmaps } = index.manager;
    if (!bitmaps) throw new Error('opened');
    const add = jest.spyOn(bitmaps, 'add').mockRejectedValueOnce(new Error('no memory just now'));
    // Enough changes for three segments: the first one fails while the others are being read.
    const slugs = Array.from({ length: 2.5 * changesPerSegment }, (_, number) => `many-${number}`);
    await kept().importSlugs(...slugs);
    index.manager.wake();
    await kept().untilSame(index);
    expect(add.mock.calls.length).toBeGreaterThan(3);
    expect(index.builder.readings).toBe(1);
  } finally {
    realProcess.off('unhandledRejection', note);
  }
  expect(unhandled).toEqual([]);
});

it("a listener whose certificate can't be read listens as soon as it can be", async () => {
  const { fixture } = kept();
  const { logger } = await kept().replica();
  const directory = await mkdtemp(join(tmpdir(), 'certificate-'));
  const certificate = join(directory, 'root.pem');
  const url = new URL(fixture.url);
  url.searchParams.set('sslmode', 'disable');
  url.searchParams.set('sslrootcert', certificate);
  let woken = 0;
  const debugged = jest.spyOn(logger, 'debug');
  const listener = new RevisionListener(url.href, () => (woken += 1), logger);
  try {
    await until(() => debugged.mock.calls.length > 0);
    await writeFile(certificate, '');
    await kept().untilListening();
    await until(() => woken === 1);
    await kept().importSlugs('a');
    await until(() => woken > 1);
  } finally {
    await listener.stop();
    await rm(directory, { recursive: true });
  }
}, 20_000);
