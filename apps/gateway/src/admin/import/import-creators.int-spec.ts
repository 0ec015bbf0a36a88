import {
  compareChunk,
  finishImport,
  importChunk,
  type ImportChunkRequest,
  ServiceError,
  type WithBytes,
} from '#contracts';
import { request, type OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { AdminFixture, authorization, type Reply } from '../admin.fixture.js';
import { emptyReport } from './import-run.js';

// A large file is imported, at the speed of the catalog.
jest.setTimeout(30_000);

interface SeenChunk extends ImportChunkRequest {
  readonly text: string;
  readonly lines: number;
}

const path = '/creators/import';
const ndjson = { 'content-type': 'application/x-ndjson' };
const MiB = 1024 ** 2;

const admin = AdminFixture.forTests();
let chunks: SeenChunk[];
let finished: string[];

/** Answers each chunk as a catalog that finds every line new, after what `before` does. */
function acceptChunks(before: (chunk: ImportChunkRequest) => unknown = () => undefined): void {
  admin.on(importChunk, async ({ value, bytes }: WithBytes<ImportChunkRequest>) => {
    const lines = bytes.toString('latin1').split(/(?<=\n)/).length;
    chunks.push({ ...value, text: bytes.length > 10_000 ? '' : bytes.toString(), lines });
    await before(value);
    return { ...emptyReport, received: lines, created: lines };
  });
}

function send(body: string | Buffer | Readable, headers: OutgoingHttpHeaders = ndjson): Promise<Reply> {
  return admin.send('POST', path, { headers, body });
}

beforeEach(() => {
  chunks = [];
  finished = [];
  acceptChunks();
  admin.on(finishImport, ({ import_id }) => {
    finished.push(import_id);
    return { finished: true };
  });
});

it('an import sends the lines unchanged and returns the report', async () => {
  const body = '{"slug":"ada"}\r\n\n{"slug":"caf\u00e9"}\nno end';
  expect(await send(body)).toMatchObject({
    status: 200,
    body: { ...emptyReport, received: 4, created: 4 },
  });
  expect(chunks).toMatchObject([{ seq: 0, first_line: 1, text: body }]);
  expect(finished).toEqual([chunks[0]?.import_id]);
});

it.each([{ 'content-type': 'text/html' }, { ...ndjson, 'content-encoding': 'gzip' }])(
  'an import with %j is a 415',
  async (headers) => {
    expect(await send('{"a":1}\n', headers)).toMatchObject({ status: 415 });
    expect(chunks).toEqual([]);
  },
);

it('a large import reads no faster than the catalog acknowledges, two chunks at a time', async () => {
  let [sent, acknowledged, inFlight] = [0, 0, 0];
  const highest = { lead: 0, inFlight: 0 };
  const piece = Buffer.alloc(64 * 1024, `${'x'.repeat(1_023)}\n`);
  const pieces = (96 * MiB) / piece.length;
  admin.on(importChunk, async ({ bytes }) => {
    inFlight += 1;
    highest.inFlight = Math.max(highest.inFlight, inFlight);
    await delay(2);
    inFlight -= 1;
    acknowledged += bytes.length;
    return { ...emptyReport, received: bytes.length / 1_024 };
  });
  const source = function* (): Generator<Buffer> {
    for (let index = 0; index < pieces; index += 1) {
      sent += piece.length;
      highest.lead = Math.max(highest.lead, sent - acknowledged);
      yield piece;
    }
  };
  const reply = await send(Readable.from(source(), { objectMode: false, highWaterMark: piece.length }));
  expect(reply.body).toMatchObject({ received: 96 * 1_024 });
  expect(highest.inFlight).toBe(2);
  expect(highest.lead).toBeLessThan(32 * MiB);
});

describe('a catalog that fails', () => {
  it('gets a chunk again with the same number after a short outage', async () => {
    let failures = 2;
    acceptChunks(({ seq }) => {
      if (seq !== 1 || failures === 0) return;
      failures -= 1;
      throw new ServiceError(failures === 1 ? 'unavailable' : 'deadline_exceeded', 'not now');
    });
    const reply = await send(Buffer.alloc(3_000 * 5, 'line\n'));
    expect(reply).toMatchObject({ status: 200, body: { received: 3_000 } });
    const again = chunks.filter(({ seq }) => seq === 1);
    expect(again).toHaveLength(3);
    expect(new Set(again.map(({ import_id, first_line }) => `${import_id} ${first_line}`)).size).toBe(1);
  });

  it('ends the import with a 503 that says how far it got, even while the body is still coming', async () => {
    acceptChunks(({ seq }) => {
      if (seq >= 2) {
        throw new ServiceError('unavailable', 'not now', { details: { database: ['disk full'] } });
      }
    });
    const endless = Readable.from(lines());
    const reply = await send(endless);
    expect(reply).toMatchObject({
      status: 503,
      body: {
        error: expect.stringMatching(/first 2000 lines .* Reason: database: disk full\./) as string,
        details: { database: ['disk full'] },
      },
    });
    expect(chunks.filter(({ seq }) => seq === 2)).toHaveLength(3);
    expect(finished).toEqual([]);
  });

  it("does not fail an import when only its end can't be recorded", async () => {
    admin.on(finishImport, () => {
      throw new ServiceError('unavailable', 'not now');
    });
    expect(await send('x\n')).toMatchObject({ status: 200, body: { received: 1 } });
  });
});

const stopping = AdminFixture.forTests({ SHUTDOWN_MS: '2000', REQUEST_DEADLINE_MS: '1000' });

it('a gateway that stops ends its imports with a 503 that says how far they got', async () => {
  let stopped: Promise<void> | undefined;
  stopping.on(importChunk, ({ value }) => {
    if (value.seq === 2) stopped = stopping.stop();
    return { ...emptyReport, received: 1_000 };
  });
  const reply = await stopping.send('POST', path, { headers: ndjson, body: Readable.from(lines()) });
  expect(reply.status).toBe(503);
  expect(reply.body).toEqual({
    error: expect.stringMatching(/first [1-9]\d*000 lines are stored/) as string,
  });
  await stopped;
});

it('a client that goes away leaves what was acknowledged; the line that was cut off is not sent', async () => {
  const firstChunk = new Promise<void>((seen) => acceptChunks(() => seen()));
  const headers = { ...authorization, ...ndjson };
  const upload = request({ port: admin.port, path: `/admin/v1${path}`, method: 'POST', headers });
  upload.on('error', () => undefined);
  upload.write(`${'line\n'.repeat(1_000)}{"cut":`);
  await firstChunk;
  upload.destroy();
  await new Promise((closed) => upload.once('close', closed));
  await send('another import\n');
  expect(chunks.map(({ seq, lines: count }) => [seq, count])).toEqual([
    [0, 1_000],
    [0, 1],
  ]);
  expect(finished).toHaveLength(1);
});

it.each([
  ['true', 503, 'nothing is stored'],
  ['false', 409, 'The import was swept'],
])('an import with dry_run=%s that ends early is a %i that says so: %s', async (dryRun, status, words) => {
  const refuse = (): never => {
    throw new ServiceError(status === 503 ? 'unavailable' : 'conflict', 'The import was swept.');
  };
  admin.on(compareChunk, refuse);
  admin.on(importChunk, refuse);
  const body = Readable.from(lines());
  const reply = await admin.send('POST', `${path}?dry_run=${dryRun}`, { headers: ndjson, body });
  expect(reply).toMatchObject({ status, body: { error: expect.stringContaining(words) as string } });
});

it('a dry run has the lines compared instead of stored, and says so in the report', async () => {
  const compared: string[] = [];
  const report = {
    ...emptyReport,
    received: 2,
    created: 1,
    rejected: 1,
    errors: [{ line: 2, error: 'bad' }],
  };
  admin.on(compareChunk, ({ bytes }) => {
    compared.push(bytes.toString());
    return report;
  });
  const reply = await admin.send('POST', `${path}?dry_run=true`, { headers: ndjson, body: 'one\nbad\n' });
  expect([reply.status, reply.body]).toEqual([200, { dry_run: true, ...report }]);
  expect([compared, chunks, finished.length]).toEqual([['one\nbad\n'], [], 1]);
});

function* lines(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(50_000, 'line\n');
}
