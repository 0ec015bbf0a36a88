import { compareChunk, finishImport, type ImportReport, ServiceError } from '#contracts';
import { Readable } from 'node:stream';
import { AdminFixture, type Reply } from '../admin.fixture.js';

const nothing: ImportReport = {
  received: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  removed: 0,
  rejected: 0,
  errors: [],
  removed_lines: [],
};

// It answers no message that stores a chunk.
const admin = AdminFixture.forTests();
let finished: number;

beforeEach(() => {
  finished = 0;
  admin.on(finishImport, () => {
    finished += 1;
    return { finished: true };
  });
});

function send(dryRun: string, body: string | Readable): Promise<Reply> {
  const headers = { 'content-type': 'application/x-ndjson' };
  return admin.send('POST', `/creators/import?dry_run=${dryRun}`, { headers, body });
}

describe('a dry run', () => {
  it('has the lines compared instead of stored, and says so in the report', async () => {
    const compared: string[] = [];
    const report = { ...nothing, received: 2, created: 1, rejected: 1, errors: [{ line: 2, error: 'bad' }] };
    admin.on(compareChunk, ({ bytes }) => {
      compared.push(bytes.toString());
      return report;
    });
    const reply = await send('true', 'one\nbad\n');
    expect([reply.status, reply.body]).toEqual([200, { dry_run: true, ...report }]);
    expect([compared, finished]).toEqual([['one\nbad\n'], 1]);
  });

  it.each(['yes', '1', ''])('400 for dry_run=%s, before anything is sent', async (value) => {
    expect(await send(value, 'one\n')).toMatchObject({
      status: 400,
      body: { details: { dry_run: [expect.any(String)] } },
    });
  });

  it('that ends early says that nothing is stored', async () => {
    admin.on(compareChunk, () => {
      throw new ServiceError('unavailable', 'not now');
    });
    expect(await send('true', Readable.from(lines()))).toMatchObject({
      status: 503,
      body: { error: expect.stringContaining('nothing is stored') as string },
    });
  });
});

function* lines(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(50_000, 'line\n');
}
