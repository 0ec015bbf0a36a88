import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reply, ScriptedAdminApi } from './cli.fixture.js';

let api: ScriptedAdminApi;

beforeAll(async () => (api = await ScriptedAdminApi.start()));
beforeEach(() => api.reset());
afterAll(() => api.stop());

it('`creators list` shows creators with their platforms and the newest of their times', async () => {
  const platforms = ['01', '31', '02'].map((day, at) => ({
    platform: ['x', 'tiktok', 'youtube'][at],
    updated_at: `2026-01-${day}T12:00:00.000Z`,
  }));
  const ada = { slug: 'ada', name: 'Ada', country: 'Peru', published: false, source: null, platforms };
  api.answers = [reply(200, { creators: [ada], next_cursor: 'ada' })];
  expect((await api.cli('creators list')).stdout).toMatch(
    /^ada +Ada +Peru +x, tiktok, youtube +no +- +2026-01-31 12:00\n\nNext page: --cursor ada\n$/m,
  );
});

describe('`creators export`', () => {
  const pages = [['ada', 'bob'], ['cyd']].map((slugs) => slugs.map((slug) => ({ slug, platforms: [] })));
  const derived = { url: 'u', total_reach: 0, source: 's' };
  const answers = pages.map((creators, at) =>
    reply(200, {
      creators: creators.map((one) => ({ ...one, ...derived })),
      next_cursor: at === 0 ? 'bob' : null,
    }),
  );
  const lines = pages.flat().map((one) => `${JSON.stringify(one)}\n`);

  it('prints all pages as records, or writes them to a file', async () => {
    api.answers = [...answers, ...answers];
    const printed = await api.cli('creators export --source s --published');
    expect(printed).toEqual({ code: 0, stdout: lines.join(''), stderr: '3 creators exported.\n' });
    const call = 'GET /creators?source=s&published=true&limit=200';
    expect(api.calls.map((seen) => seen.call)).toEqual([call, `${call}&cursor=bob`]);
    const directory = mkdtempSync(join(tmpdir(), 'cli-'));
    await api.cli('creators export --out all.ndjson', undefined, directory);
    expect(readFileSync(join(directory, 'all.ndjson'), 'utf8')).toBe(lines.join(''));
    rmSync(directory, { recursive: true });
  });

  it.each([
    [
      'a lost connection',
      (_: unknown, response: ServerResponse) => void response.destroy(),
      'The connection to',
    ],
    ['a 503', reply(503, { error: 'Not now.' }), 'Not now.'],
  ])('fails after %s, and says that it is not complete', async (_what, failure, reason) => {
    api.answers = [...answers.slice(0, 1), failure];
    const { code, stdout, stderr } = await api.cli('creators export');
    expect([code, stdout]).toEqual([1, lines.slice(0, 2).join('')]);
    expect(stderr).toContain(reason);
    expect(stderr).toContain('The export is not complete: it has only 2 creators.\n');
  });
});

it('`creators unpublish --source` counts, or repeats its call until no creators are left', async () => {
  const replies = [[1_000, 'k'] as const, [1, null] as const];
  api.answers = replies.map(([unpublished, next_cursor]) => reply(200, { unpublished, next_cursor }));
  const { stdout } = await api.cli('creators unpublish --source s --yes');
  expect(stdout).toBe('1,001 creators are hidden.\n');
  expect(api.calls.map(({ body }) => body)).toEqual([{ source: 's' }, { source: 's', cursor: 'k' }]);
  api.answers = [reply(200, { unpublished: 7, next_cursor: null })];
  expect((await api.cli('creators unpublish --source s --dry-run')).stdout).toBe(
    '7 creators would be hidden.\n',
  );
  expect(api.calls[2]).toEqual({ call: 'POST /creators/unpublish', body: { source: 's', dry_run: true } });
  for (const words of ['', ' ada --source s --yes', ' ada --dry-run', ' --source s', ' --yes']) {
    expect(await api.cli(`creators unpublish${words}`)).toMatchObject({ code: 2 });
  }
  expect(api.calls).toHaveLength(3);
});
