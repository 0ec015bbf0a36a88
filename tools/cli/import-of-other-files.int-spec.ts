import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { finishImport, importChunk } from '@app/contracts';
import { AdminFixture, adminToken } from '../../apps/gateway/src/admin/admin.fixture.js';
import { type CliRun, runCommand } from './cli.fixture.js';

const records = [{ slug: 'ada' }, { slug: 'bob' }];
const counts = { created: 0, updated: 0, unchanged: 0, rejected: 0, errors: [] };

let admin: AdminFixture;
let stored: string[];

beforeAll(async () => (admin = await AdminFixture.start()));
beforeEach(() => {
  admin.reset();
  stored = [];
  admin.on(importChunk, ({ bytes }) => {
    stored.push(bytes.toString());
    return { ...counts, received: 1, created: 1 };
  });
  admin.on(finishImport, () => ({ finished: true }));
});
afterAll(() => admin.stop());

function importInput(stdin: Readable): Promise<CliRun> {
  const environment = { ADMIN_URL: `http://127.0.0.1:${admin.port}`, ADMIN_TOKEN: adminToken };
  return runCommand(['creators', 'import', '-'], { stdin, environment });
}

describe('creators import of a file that is not NDJSON', () => {
  it.each([
    ['a JSON array', JSON.stringify(records), "JSON array; .*`jq -c '\\.\\[\\]' file\\.json`"],
    ['pretty-printed JSON', JSON.stringify(records[0], null, 2), 'several lines; .*`jq -c \\. file\\.json`'],
    ['CSV', 'slug,name\nada,Ada\n', 'CSV; .*`npm run cli -- creators import --help`'],
    ['gzip', gzipSync('{"slug":"ada"}\n'), 'gzip; .*`gunzip -c file\\.gz`'],
  ])('prints one sentence and exits with 1: %s', async (_name, file, sentence) => {
    expect(await importInput(Readable.from([Buffer.from(file)]))).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^Error: The file .*${sentence}\\.\\n$`)) as string,
    });
    expect(stored).toEqual([]);
  });

  it('does so while the file is still being sent, and reads no more of it', async () => {
    const endless = Readable.from(rows());
    const { code, stderr } = await importInput(endless);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^Error: .* CSV.*\n$/) as string,
    });
    expect(endless.destroyed).toBe(true);
    expect(stored).toEqual([]);
  });

  it('accepts NDJSON with a byte order mark', async () => {
    const file = '\uFEFF{"slug":"ada"}\n';
    expect(await importInput(Readable.from([Buffer.from(file)]))).toMatchObject({ code: 0, stderr: '' });
    expect(stored).toEqual([file]);
  });
});

async function* rows(): AsyncGenerator<Buffer> {
  yield Buffer.from('slug,name\n');
  for (;;) yield await Promise.resolve(Buffer.alloc(65_536, 'ada,Ada\n'));
}
