import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { reply, ScriptedAdminApi } from './cli.fixture.js';

const directory = mkdtempSync(join(tmpdir(), 'cli-'));
const file = join(directory, 'list.csv');
const rejectedFile = join(directory, 'failed.csv');
let api: ScriptedAdminApi;

beforeAll(async () => (api = await ScriptedAdminApi.start()));
beforeEach(() => api.reset());
afterAll(async () => {
  await api.stop();
  rmSync(directory, { recursive: true });
});

const stored = { received: 2, created: 2, updated: 0, unchanged: 0, rejected: 0, errors: [] };

/** As a spreadsheet program in Germany writes "Unicode text", of someone's list. */
const list = [
  'Künstler;Kanal;Abonnenten;"Über, kurz";Land;Sprachen;Themen;Stand',
  'Zoë Ærø;@zoe;1.2M;"Cooks ""slow"" food;\r\nand travels";Norway;Norwegian|English;Food & Drink;2026-01-31',
  ';;;;;;;',
  'Łukasz;lukasz;3,4K;;Poland;Polish;music, games;2026-01-31T12:00:00+01:00',
  'Bob;@bob;12.34;;Peru;Spanish;music;2026-01-31',
  '',
].join('\r\n');
const map =
  'name=künstler,youtube.handle=Kanal,youtube.followers=Abonnenten,tagline="Über, kurz",country=Land,' +
  'languages=Sprachen,categories=Themen,youtube.updated_at=Stand';

const zoe = {
  slug: 'zoe-aero',
  name: 'Zoë Ærø',
  tagline: 'Cooks "slow" food;\r\nand travels',
  country: 'Norway',
  languages: ['Norwegian', 'English'],
  categories: ['Food & Drink'],
  platforms: [{ platform: 'youtube', handle: '@zoe', followers: 1_200_000, updated_at: '2026-01-31' }],
};
const lukasz = {
  slug: 'lukasz',
  name: 'Łukasz',
  country: 'Poland',
  languages: ['Polish'],
  categories: ['music', 'games'],
  platforms: [
    { platform: 'youtube', handle: 'lukasz', followers: 3_400, updated_at: '2026-01-31T12:00:00+01:00' },
  ],
};

function sentRecords(): unknown[] {
  const lines = api.seen.at(-1)?.body.split('\n') ?? [];
  return lines.map((line) => (line === '' ? null : (JSON.parse(line) as unknown)));
}

describe('creators import of a table', () => {
  it('sends the records of a file that someone else made, each on its line, and keeps the failing row for correction', async () => {
    writeFileSync(file, gzipSync(Buffer.from(`\uFEFF${list}`, 'utf16le')));
    api.answers = [reply(200, stored), reply(200, { ...stored, received: 1, created: 1 })];
    const first = await api.cli(['creators', 'import', file, '--map', map, '--rejected', rejectedFile]);
    expect(first.code).toBe(1);
    expect(first.stderr).toBe(
      `Reading ${file}: gzip, UTF-16LE, a table with semicolons.\n` +
        `Error: 1 line was rejected; everything else is stored (use --allow-rejected to accept that); ${rejectedFile} has those that were found here.\n`,
    );
    expect(first.stdout).toMatch(/^3 lines in .*\n {2}created +2\n(.*\n){2} {2}rejected +1\n\nRejected:\n/);
    expect(first.stdout).toContain(
      'line 6: column "Abonnenten" is "12.34": youtube.followers must be a number such as 1200',
    );
    expect(api.seen[0]?.call).toBe('POST /creators/import');
    expect(sentRecords()).toEqual([null, zoe, null, null, lukasz, null]);

    const failed = readFileSync(rejectedFile, 'utf8');
    expect(failed).toMatch(
      /^\uFEFFKünstler;.*;Stand;error\nBob;@bob;12\.34;;Peru;.*;"column ""Abonnenten"" is/,
    );
    writeFileSync(file, failed.replace('12.34', '12,340'));
    const second = await api.cli(['creators', 'import', file, '--map', map, '--rejected', rejectedFile]);
    expect(second.code).toBe(0);
    expect(sentRecords()).toMatchObject([null, { slug: 'bob', platforms: [{ followers: 12_340 }] }, null]);
    expect(readFileSync(rejectedFile, 'utf8')).toBe('');
  });

  it('only asks what would change with --dry-run', async () => {
    api.answers = [reply(200, { dry_run: true, ...stored })];
    const words = ['creators', 'import', '-', '--dry-run', '--map', map];
    const { code, stdout, stderr } = await api.cli(words, Readable.from([Buffer.from(list)]));
    expect(api.seen[0]?.call).toBe('POST /creators/import?dry_run=true');
    expect(stdout).toMatch(/^Dry run, nothing is stored: 3 lines .*\n {2}would be created +2\n/);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('1 line would be rejected; nothing is stored'),
    ]);
  });

  it('adds its rejected lines to those of the service, in the order of the lines', async () => {
    const errors = [{ line: 5, error: 'of the service' }];
    api.answers = [reply(200, { ...stored, created: 1, rejected: 1, errors })];
    const words = ['creators', 'import', '-', '--json', '--map', map];
    const { stdout } = await api.cli(words, Readable.from([Buffer.from(list.replace('1.2M', 'many'))]));
    expect(JSON.parse(stdout)).toMatchObject({
      received: 4,
      created: 1,
      rejected: 3,
      errors: [
        { line: 2, error: expect.stringContaining('"many"') as string },
        { line: 5, error: 'of the service' },
        { line: 6 },
      ],
    });
  });

  it.each<[string, string | Buffer, string[], number, string]>([
    ['another mapping is needed', list, [], 1, 'name has no column'],
    ['an option is malformed', list, ['--map', 'Titel'], 2, 'Expected field=Column'],
  ])('sends nothing when %s', async (_why, text, options, code, reason) => {
    const run = await api.cli(['creators', 'import', '-', ...options], Readable.from([Buffer.from(text)]));
    expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(reason)]);
    expect(api.seen).toEqual([]);
  });

  it('does not overwrite the file that it reads', async () => {
    writeFileSync(file, list);
    const run = await api.cli(['creators', 'import', file, '--map', map, '--rejected', file]);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('--rejected names the file')]);
    expect(readFileSync(file, 'utf8')).toBe(list);
  });

  it('says from which line on a table cannot be read, and that lines before may be stored', async () => {
    const row = `${list.split('\r\n')[4]}\n`;
    const many = Readable.from([Buffer.from(list), Buffer.from(row.repeat(5_000)), Buffer.from('"open')]);
    api.answers = [reply(200, stored)];
    const { code, stderr } = await api.cli(['creators', 'import', '-', '--map', map], many);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/from line 5007 on: .* may be stored;/)]);
  });
});
