import { type HeldCreator } from '#contracts';
import { reply, ScriptedAdminApi } from './cli.fixture.js';

let api: ScriptedAdminApi;
beforeAll(async () => (api = await ScriptedAdminApi.start()));
beforeEach(() => api.reset());
afterAll(() => api.stop());

const held: HeldCreator = {
  creator: {
    slug: 'ada',
    name: 'Ada',
    url: 'https://site.example/creators/ada',
    tagline: '',
    country: 'Norway',
    languages: [],
    verified: false,
    categories: [],
    total_reach: 0,
    platforms: [],
    published: true,
  },
  first_stored_at: null,
  last_changed_at: '2026-01-31T12:00:00.000Z',
  source: 'Wikidata',
  recent_reads: 2.5,
  last_read_at: null,
};
const row = {
  value: 'youtube',
  creators: 1_200,
  median_days: 12,
  p90_days: 80,
  oldest_days: 1_000,
  older_than_30: 0.25,
  older_than_90: 0.0812,
  older_than_365: 0,
};
const computed = { by: 'platform', computed_at: '2026-01-31T12:00:00.000Z', rows: [row] };

it.each<[command: string, call: string, body: object, shown: RegExp]>([
  [
    'creators report ada',
    'GET /creators/ada/report',
    { creators: [held], removals: [] },
    /slug +ada\n[^]*last changed \(UTC\) +2026-01-31 12:00\nsource +Wikidata\nrecent reads +2\.5\n/,
  ],
  [
    'creators report --handle youtube:@ada',
    'GET /catalog/report?platform=youtube&handle=%40ada',
    { creators: [], removals: [] },
    /^Nothing is held\.\n$/,
  ],
  [
    'creators freshness',
    'GET /catalog/freshness',
    computed,
    /youtube +1,200 +12 +80 +1,000 +25\.0% +8\.1% +0\.0%\n\nComputed at 2026-01-31 12:00 \(UTC\)\.\n$/,
  ],
  [
    'creators freshness --by country',
    'GET /catalog/freshness?by=country',
    { by: 'country', computed_at: null, rows: [] },
    /^Not computed yet/,
  ],
])('%s', async (command, call, body, shown) => {
  api.answers = [reply(200, body)];
  expect(await api.cli(command)).toEqual({
    code: 0,
    stdout: expect.stringMatching(shown) as string,
    stderr: '',
  });
  expect(api.calls).toEqual([{ call, body: null }]);
});

it('`creators refresh-list` prints the records unchanged', async () => {
  const lines = '{"slug":"ada"}\n{"slug":"zoë"}\n';
  api.answers = [
    (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(lines),
  ];
  const run = await api.cli(
    'creators refresh-list --platform x --country Peru --limit 1,000 --min-age-days 30',
  );
  expect(run).toEqual({ code: 0, stdout: lines, stderr: '' });
  expect(api.calls[0]?.call).toBe(
    'GET /catalog/refresh-list?platform=x&country=Peru&limit=1000&min_age_days=30',
  );
});

it('a list that breaks off is an error, so that a file is not taken for whole', async () => {
  api.answers = [
    (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write('{"slug":"ada"}\n', () => response.destroy());
    },
  ];
  const { code, stderr } = await api.cli('creators refresh-list');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^Error: The connection to .* failed/)]);
});
