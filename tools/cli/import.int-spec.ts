import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { finishImport, importChunk } from '@app/contracts';
import { AdminFixture, adminToken } from '../../apps/gateway/src/admin/admin.fixture.js';
import { type CliRun, reply, runCommand, ScriptedAdminApi } from './cli.fixture.js';

const input = (bytes: string | Buffer): Readable => Readable.from([Buffer.from(bytes)]);

describe('creators import', () => {
  const report = { received: 3, created: 1, updated: 0, unchanged: 1, rejected: 1 };
  const errors = [{ line: 2, error: 'followers must not be negative' }];
  const directory = mkdtempSync(join(tmpdir(), 'cli-'));
  let api: ScriptedAdminApi;

  beforeAll(async () => (api = await ScriptedAdminApi.start()));
  beforeEach(() => api.reset());
  afterAll(async () => {
    await api.stop();
    rmSync(directory, { recursive: true });
  });

  it('sends a file unchanged and shows the counts and the first errors', async () => {
    const file = join(directory, 'creators.ndjson');
    writeFileSync(file, '{"a":1}\n\n{"b":2}');
    api.answers = [reply(200, { ...report, errors })];
    const { stdout } = await api.cli(['creators', 'import', file]);
    expect(stdout).toMatch(/^3 lines in \d+\.\d s/);
    expect(stdout).toContain('line 2: followers must not be negative');
    expect(api.seen).toEqual([
      {
        call: 'POST /creators/import',
        headers: expect.objectContaining({ 'content-type': 'application/x-ndjson' }) as object,
        body: '{"a":1}\n\n{"b":2}',
      },
    ]);
  });

  it.each([
    { rejected: 1, option: [], code: 1 },
    { rejected: 1, option: ['--allow-rejected'], code: 0 },
    { rejected: 0, option: [], code: 0 },
  ])('reads standard input and exits with $code after $rejected rejected lines $option', async (is) => {
    const body = { ...report, rejected: is.rejected, errors: is.rejected > 0 ? errors : [] };
    api.answers = [reply(200, body)];
    const words = ['creators', 'import', '-', '--json', ...is.option];
    const { code, stdout, stderr } = await api.cli(words, input('{"a":1}\n'));
    expect(code).toBe(is.code);
    expect(JSON.parse(stdout)).toEqual(body);
    expect(stderr).toContain(is.code === 0 ? '' : '1 line was rejected');
    expect(api.seen[0]?.body).toBe('{"a":1}\n');
  });

  it.each([
    ['nowhere.ndjson', "nowhere.ndjson can't be read"],
    [directory, `${directory} can't be read: it is a directory`],
  ])('explains why %s cannot be read, and sends nothing', async (file, reason) => {
    const { code, stderr } = await api.cli(['creators', 'import', file]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
    expect(api.seen).toEqual([]);
  });

  it('shows the error of a service that gives up during the upload, and stops reading', async () => {
    const error = 'The import stopped early: the first 2000 lines are stored.';
    api.beforeBody = async (request, response) => {
      await once(request, 'data');
      await reply(503, { error })(request, response);
      request.resume();
    };
    const endless = Readable.from(repeat('line\n'));
    expect(await api.cli('creators import -', endless)).toEqual({
      code: 1,
      stdout: '',
      stderr: `Error: ${error}\n`,
    });
    expect(endless.destroyed).toBe(true);
  });
});

describe('creators import of a file that is not NDJSON', () => {
  const records = [{ slug: 'ada' }, { slug: 'bob' }];
  let admin: AdminFixture;
  let stored: string[];

  beforeAll(async () => (admin = await AdminFixture.start()));
  beforeEach(() => {
    admin.reset();
    stored = [];
    admin.on(importChunk, ({ bytes }) => {
      stored.push(bytes.toString());
      return { received: 1, created: 1, updated: 0, unchanged: 0, rejected: 0, errors: [] };
    });
    admin.on(finishImport, () => ({ finished: true }));
  });
  afterAll(() => admin.stop());

  function importInput(stdin: Readable): Promise<CliRun> {
    const environment = { ADMIN_URL: `http://127.0.0.1:${admin.port}`, ADMIN_TOKEN: adminToken };
    return runCommand(['creators', 'import', '-'], { stdin, environment });
  }

  it.each([
    ['a JSON array', JSON.stringify(records), "JSON array; .*`jq -c '\\.\\[\\]' file\\.json`"],
    ['pretty-printed JSON', JSON.stringify(records[0], null, 2), 'several lines; .*`jq -c \\. file\\.json`'],
    ['CSV', 'slug,name\nada,Ada\n', 'CSV; .*`npm run cli -- creators import --help`'],
    ['gzip', gzipSync('{"slug":"ada"}\n'), 'gzip; .*`gunzip -c file\\.gz`'],
  ])('prints one sentence and exits with 1: %s', async (_name, file, sentence) => {
    expect(await importInput(input(file))).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^Error: The file .*${sentence}\\.\\n$`)) as string,
    });
    expect(stored).toEqual([]);
  });

  it('stops reading a file of another format during the upload', async () => {
    const endless = Readable.from(repeat('ada,Ada\n', 'slug,name\n'));
    expect(await importInput(endless)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Error: .* CSV.*\n$/) as string,
    });
    expect(endless.destroyed).toBe(true);
    expect(stored).toEqual([]);
  });

  it('accepts NDJSON with a byte order mark', async () => {
    const file = '\uFEFF{"slug":"ada"}\n';
    expect(await importInput(input(file))).toMatchObject({ code: 0, stderr: '' });
    expect(stored).toEqual([file]);
  });
});

/** `first`, then `line` for ever, in pieces of 64 KiB. */
async function* repeat(line: string, first = ''): AsyncGenerator<Buffer> {
  yield Buffer.from(first);
  for (;;) yield await Promise.resolve(Buffer.alloc(65_536, line));
}
