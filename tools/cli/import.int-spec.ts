import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { reply, ScriptedAdminApi } from './cli.fixture.js';

const directory = mkdtempSync(join(tmpdir(), 'cli-'));
const api = ScriptedAdminApi.forTests();
afterAll(() => rmSync(directory, { recursive: true }));

const report = {
  received: 3,
  created: 1,
  updated: 0,
  unchanged: 1,
  rejected: 1,
  removed: 0,
  reasons: [],
  removed_lines: [],
};

describe('creators import', () => {
  const errors = [{ line: 2, error: 'followers must not be negative' }];

  it('sends a file unchanged and shows the counts, the lines of removed creators apart, and the first errors', async () => {
    const file = join(directory, 'creators.ndjson');
    writeFileSync(file, '{"a":1}\n\n{"b":2}');
    const removed_lines = [{ line: 3, reason: "removed at the creator's request" }];
    api.answers = [reply(200, { ...report, errors, removed: 1, removed_lines })];
    const { stdout } = await api.cli(['creators', 'import', file]);
    expect(stdout).toMatch(
      /^3 lines in \d+\.\d s[^]*left out: removed +1\n\n[^]*line 3: removed at [^]*line 2: followers must not/,
    );
    const call = 'POST /creators/import?mode=replace&file=creators.ndjson';
    expect(api.seen).toMatchObject([{ call, body: '{"a":1}\n\n{"b":2}' }]);
    expect(api.seen[0]?.headers['content-type']).toBe('application/x-ndjson');
  });

  it.each([
    { rejected: 1, option: [], code: 1 },
    { rejected: 1, option: ['--accept-rejected'], code: 0 },
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

  it('reads a long file no faster than the service takes it', async () => {
    let [read, taken, mostHeld] = [0, 0, 0];
    api.beforeBody = async (request, response) => {
      for await (const part of request) taken += (part as Buffer).length;
      await reply(200, { ...report, rejected: 0, errors: [] })(request, response);
    };
    const source = async function* (): AsyncGenerator<Buffer> {
      const pieces = repeat('{"a":1}\n');
      for (let count = 0; count < 1_500; count += 1) {
        const piece = (await pieces.next()).value as Buffer;
        read += piece.length;
        mostHeld = Math.max(mostHeld, read - taken);
        yield piece;
      }
    };
    expect(await api.cli('creators import -', Readable.from(source()))).toMatchObject({ code: 0 });
    expect(read).toBe(taken);
    expect(mostHeld).toBeLessThan(16 * 1024 ** 2);
  });

  it('shows in one sentence why a service gives up during the upload, and stops reading', async () => {
    const error = 'The import stopped early: the first 2000 lines are stored.';
    api.beforeBody = async (request, response) => {
      await once(request, 'data');
      await reply(503, { error, details: { body: [error] } })(request, response);
      request.resume();
    };
    const endless = Readable.from(repeat('{"a":1}\n'));
    expect(await api.cli('creators import -', endless)).toEqual({
      code: 1,
      stdout: '',
      stderr: `Reading standard input: UTF-8, NDJSON.\nError: ${error}\n`,
    });
    expect(endless.destroyed).toBe(true);
  });
});

/** Someone's list, as a spreadsheet program in Germany writes "Unicode text". */
const list = [
  'Künstler;Kanal;Abonnenten;Stand;Land;Sprachen;Themen',
  'Zoë Ærø;@zoe;1.2M;2026-01-31;Norway;Norwegian|English;"Food;\r\nDrink"',
  ';;;;;;',
  'Bob;@bob;12.34;2026-01-31;Peru;Spanish;music',
  '',
].join('\r\n');
const map =
  'name=künstler,youtube.handle=Kanal,youtube.followers=Abonnenten,youtube.updated_at=Stand,country=Land,' +
  'languages=Sprachen,categories=Themen';
const stored = { ...report, received: 1, unchanged: 0, rejected: 0, errors: [] };

describe('creators import of a table', () => {
  const file = join(directory, 'list.csv');
  const rejectedFile = join(directory, 'failed.csv');
  const importList = (text: string, ...options: string[]) =>
    api.cli(['creators', 'import', '-', ...options], Readable.from([Buffer.from(text)]));
  const sentRecords = () =>
    (api.seen.at(-1)?.body.split('\n') ?? []).map((line) =>
      line === '' ? null : (JSON.parse(line) as unknown),
    );

  it('sends the records of a file that someone else made, each on its line, and keeps the failing row for correction', async () => {
    writeFileSync(file, gzipSync(Buffer.from(`\uFEFF${list}`, 'utf16le')));
    api.answers = [reply(200, stored)];
    const words = ['creators', 'import', file, '--map', map, '--rejected', rejectedFile];
    const first = await api.cli(words);
    expect(first.code).toBe(1);
    expect(first.stderr).toBe(
      `Reading ${file}: gzip, UTF-16LE, a table with semicolons.\n` +
        `Error: 1 line was rejected; everything else is stored (use --accept-rejected to accept that); ${rejectedFile} has the lines that were rejected before sending.\n`,
    );
    expect(first.stdout).toMatch(/^2 lines in .*\n {2}created +1\n(.*\n){2} {2}rejected +1\n\nRejected:\n/);
    expect(first.stdout).toContain(
      'line 5: column "Abonnenten" is "12.34": youtube.followers must be a number such as 1200',
    );
    const platforms = [
      { platform: 'youtube', handle: '@zoe', followers: 1_200_000, updated_at: '2026-01-31' },
    ];
    const languages = ['Norwegian', 'English'];
    const zoe = { name: 'Zoë Ærø', country: 'Norway', languages, platforms };
    expect(sentRecords()).toEqual([null, { ...zoe, categories: ['Food', 'Drink'] }, null]);

    const failed = readFileSync(rejectedFile, 'utf8');
    expect(failed).toMatch(/^\uFEFFKünstler;.*;Themen;error\nBob;@bob;12\.34;.*;"column ""Abonnenten"" is/);
  });

  it('only asks what would change with --dry-run, and shows it by its outcome, reasons and unknown names', async () => {
    const errors = [{ line: 4, error: 'of the service' }];
    const listed = Array.from({ length: 12 }, (_, at) => ({
      line: at + 2,
      slug: `s-${at}`,
      outcome: 'created',
    }));
    const reasons = [{ reason: 'duplicate slug', lines: 1_200 }];
    const lists = { reasons, unknown_names: ['Utopia'], listed };
    api.answers = [reply(200, { dry_run: true, ...stored, rejected: 1, errors, ...lists })];
    const { stdout, stderr } = await importList(list.replace('1.2M', 'many'), '--dry-run', '--map', map);
    expect(api.seen[0]?.call).toBe('POST /creators/import?dry_run=true&mode=merge');
    expect(stdout).toMatch(/^Dry run, nothing is stored: 3 lines .*\n {2}would be created +1\n/);
    expect(stdout).toMatch(/line 2: .*"many".*\n {2}line 4: of the service\n {2}line 5: /);
    expect(stdout).toMatch(/Lines by reason:\n {2}1,200: duplicate slug\n/);
    expect(stdout).toMatch(
      /Would be created:\n {2}s-0 \(line 2\)\n[^]*s-9 \(line 11\)\n {2}and 2 more \(see --json\)\n/,
    );
    expect(stdout).toMatch(/kept as they are:\n {2}Utopia\n$/);
    expect(stderr).toContain('3 lines would be rejected; nothing is stored');
  });

  it('does not overwrite the file that it reads', async () => {
    writeFileSync(file, list);
    const run = await api.cli(['creators', 'import', file, '--map', map, '--rejected', file]);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('--rejected names the file')]);
    expect(readFileSync(file, 'utf8')).toBe(list);
  });

  it('sends how to store the records, and where they are from', async () => {
    api.answers = [reply(200, stored)];
    writeFileSync(file, `${list.split('\r\n')[0]}\nAda;@ada;5;2026-01-31;Peru;Spanish;art`);
    const words = ['--replace', '--move-accounts', '--source', 'list of 2026', '--map', map];
    expect(await api.cli(['creators', 'import', file, ...words])).toMatchObject({ code: 0 });
    const query = 'mode=replace&move_accounts=true&source=list+of+2026&file=list.csv';
    expect(api.seen[0]?.call).toBe(`POST /creators/import?${query}`);
    const both = await importList(list, '--merge', '--replace', '--map', map);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('cannot be used with')]);
  });

  it('says that a table that is cut off may be stored in part', async () => {
    const zipped = gzipSync(list + `${list.split('\r\n').at(-2)}\n`.repeat(5_000)).subarray(0, -9);
    api.answers = [reply(200, stored)];
    const stdin = Readable.from([zipped]);
    const { code, stderr } = await api.cli(['creators', 'import', '-', '--map', map], stdin);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/damaged or not complete: .* may be stored;/)]);
  });
});

/** The line for ever, in pieces of 64 KiB. */
async function* repeat(line: string): AsyncGenerator<Buffer> {
  for (;;) yield await Promise.resolve(Buffer.alloc(65_536, line));
}
