import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { reply, ScriptedAdminApi } from './cli.fixture.js';

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

  it('shows the lines of removed creators apart, and succeeds: there is nothing to correct', async () => {
    const removed_lines = [{ line: 3, reason: "removed at the creator's request" }];
    api.answers = [reply(200, { ...report, rejected: 0, errors: [], removed: 1, removed_lines })];
    const { code, stdout } = await api.cli('creators import -', Readable.from([Buffer.from('{}\n')]));
    expect(code).toBe(0);
    expect(stdout).toMatch(/left out: removed +1\n\n[^]*line 3: removed at the creator's request\n$/);
    expect(stdout).not.toContain('Rejected');
  });

  it.each([
    { rejected: 1, option: [], code: 1 },
    { rejected: 1, option: ['--allow-rejected'], code: 0 },
    { rejected: 0, option: [], code: 0 },
  ])('reads standard input and exits with $code after $rejected rejected lines $option', async (is) => {
    const body = { ...report, rejected: is.rejected, errors: is.rejected > 0 ? errors : [] };
    api.answers = [reply(200, body)];
    const words = ['creators', 'import', '-', '--json', ...is.option];
    const { code, stdout, stderr } = await api.cli(words, Readable.from([Buffer.from('{"a":1}\n')]));
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

  it('holds little of a long file in memory', async () => {
    api.beforeBody = async (request, response) => {
      request.resume();
      await once(request, 'end');
      await reply(200, { ...report, rejected: 0, errors: [] })(request, response);
    };
    let highest = 0;
    const source = async function* (): AsyncGenerator<Buffer> {
      const pieces = repeat('{"a":1}\n');
      for (let count = 0; count < 1_500; count += 1) {
        highest = Math.max(highest, process.memoryUsage().arrayBuffers);
        yield (await pieces.next()).value as Buffer;
      }
    };
    const before = process.memoryUsage().arrayBuffers;
    expect(await api.cli('creators import -', Readable.from(source()))).toMatchObject({ code: 0 });
    expect(highest - before).toBeLessThan(48 * 1024 ** 2);
  });

  const stopped = 'The import stopped early: the first 2000 lines are stored.';
  const otherFormat = 'The file is CSV; write it as NDJSON.';

  it.each([
    ['gives up', reply(503, { error: stopped }), stopped],
    [
      'finds that the file is not NDJSON',
      reply(400, { error: otherFormat, details: { body: [otherFormat] } }),
      otherFormat,
    ],
  ])(
    'shows in one sentence why a service %s during the upload, and stops reading',
    async (_why, refuse, error) => {
      api.beforeBody = async (request, response) => {
        await once(request, 'data');
        await refuse(request, response);
        request.resume();
      };
      const endless = Readable.from(repeat('{"a":1}\n'));
      expect(await api.cli('creators import -', endless)).toEqual({
        code: 1,
        stdout: '',
        stderr: `Reading standard input: UTF-8, NDJSON.\nError: ${error}\n`,
      });
      expect(endless.destroyed).toBe(true);
    },
  );
});

/** The line for ever, in pieces of 64 KiB. */
async function* repeat(line: string): AsyncGenerator<Buffer> {
  for (;;) yield await Promise.resolve(Buffer.alloc(65_536, line));
}
