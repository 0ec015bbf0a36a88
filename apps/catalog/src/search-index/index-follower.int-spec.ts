import { rm, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { changesPerSegment, toChangedSegment } from '#creator-index';
import { type Query, WatchedClient } from '#platform/database';
import { until } from '#testing';
import { readChanges } from './index-source.js';
import { type KeptIndex, liveInSegments, useKeptCatalog } from './kept-index.fixture.js';
import { RevisionListener } from './revision-listener.js';

const kept = useKeptCatalog();

/** Not the copy that jest gives a test, which receives no events. */
const realProcess = runInThisContext('process') as NodeJS.Process;
let unhandled: unknown[];
/** Each of these errors would have ended a service. */
const note = (error: unknown): unknown => unhandled.push(error);

beforeEach(() => {
  unhandled = [];
  realProcess.on('unhandledRejection', note);
});
afterEach(() => {
  realProcess.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

/** Enough changes for three parts. */
function importMany(): Promise<unknown> {
  const slugs = Array.from({ length: 2.5 * changesPerSegment }, (_, number) => `many-${number}`);
  return kept().importSlugs(...slugs);
}

/** An index that neither polls nor is notified of changes during the test. */
async function openQuietly(): Promise<KeptIndex> {
  await kept().silence();
  const index = await kept().replica({ followEveryMs: 3_600_000 });
  await index.open();
  await kept().untilListening();
  await index.manager.catchUp();
  return index;
}

describe('changes that could not be applied are applied a moment later, without a notification', () => {
  it("when a segment can't be added while others are still being read", async () => {
    const index = await openQuietly();
    const warned = jest.spyOn(index.logger, 'warn');
    const { index: bitmaps } = index.manager;
    if (!bitmaps) throw new Error('opened');
    const add = jest.spyOn(bitmaps, 'add');
    for (let time = 0; time < 3; time++) add.mockRejectedValueOnce(new Error('no memory just now'));
    await importMany();
    index.manager.wake();
    await kept().untilSame(index);
    expect(add).toHaveBeenCalledTimes(3 + 3);
    expect(warned.mock.calls.map(([, text]) => text)).toEqual(['changes of the catalog not followed']);
    expect(index.builder.readings).toBe(1);
  });

  it('when the connection breaks between a segment that was added and one that is being read', async () => {
    const index = await openQuietly();
    const { fixture } = kept();
    const reading = jest.spyOn(index.builder, 'readChanges');
    for (let time = 0; time < 3; time++) {
      reading.mockImplementationOnce(async (span, take) => {
        const client = new WatchedClient({ connectionString: fixture.url, application_name: 'breaking' });
        await client.connect();
        const query: Query = async <Row>(_name: string, sql: string, parameters?: unknown[]) =>
          (await client.query(sql, parameters)).rows as Row[];
        for await (const changes of readChanges(query, span, changesPerSegment)) {
          take(toChangedSegment(changes));
          await fixture.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'breaking'`);
        }
      });
    }
    await importMany();
    index.manager.wake();
    await kept().untilSame(index);
    expect(reading).toHaveBeenCalledTimes(3 + 1);
    expect(liveInSegments(index)).toBe(index.manager.index?.documents);
  });
});

describe('a listener for revisions', () => {
  it("whose certificate can't be read listens as soon as it can be", async () => {
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
});
