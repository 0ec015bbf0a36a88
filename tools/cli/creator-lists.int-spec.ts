import { type ServerResponse } from 'node:http';
import { reply, ScriptedAdminApi } from './cli.fixture.js';

const api = ScriptedAdminApi.forTests();

it.each([
  [
    'a lost connection',
    (_: unknown, response: ServerResponse) => void response.destroy(),
    'The connection to',
  ],
  ['a 503', reply(503, { error: 'Not now.' }), 'Not now.'],
])('`creators export` fails after %s, and says that it is not complete', async (_what, failure, reason) => {
  const creators = ['ada', 'bob'].map((slug) => ({ slug, url: 'u', total_reach: 0, source: 's' }));
  api.answers = [reply(200, { creators, next_cursor: 'bob' }), failure];
  const { code, stdout, stderr } = await api.cli('creators export --source s --published');
  expect([code, stdout]).toEqual([1, '{"slug":"ada"}\n{"slug":"bob"}\n']);
  expect(stderr).toContain(reason);
  expect(stderr).toContain('The export is not complete: it has only 2 creators.\n');
  const call = 'GET /creators?source=s&published=true&limit=200';
  expect(api.calls.map((seen) => seen.call)).toEqual([call, `${call}&cursor=bob`]);
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
