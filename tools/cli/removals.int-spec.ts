import { type Removal } from '#contracts';
import { reply, ScriptedAdminApi } from './cli.fixture.js';

const removal: Removal = {
  id: '0198c0de-0000-7000-8000-000000000004',
  removed_at: '2026-01-31T12:00:00.000Z',
  reference: 'r',
  note: null,
  deleted: { creators: 1, fields: ['slug', 'name'], accounts: 2 },
  kept_out: [
    { by: 'slug', hash: 'a1' },
    { by: 'x', hash: 'b2' },
  ],
  digest: 'c3',
};
const { id } = removal;

let api: ScriptedAdminApi;
beforeAll(async () => (api = await ScriptedAdminApi.start()));
beforeEach(() => api.reset());
afterAll(() => api.stop());

it.each<[command: string, call: string, body: object | null]>([
  ['creators remove ada --reference r --note n', 'POST /creators/ada/remove', { reference: 'r', note: 'n' }],
  [
    'creators remove --reference r --handle youtube:@ada --handle x:ada',
    'POST /removals',
    {
      reference: 'r',
      accounts: [
        { platform: 'youtube', handle: '@ada' },
        { platform: 'x', handle: 'ada' },
      ],
    },
  ],
  [`creators removal ${id}`, `GET /removals/${id}`, null],
  ['creators removals --limit 2', 'GET /removals?limit=2', null],
  [`creators readmit ${id}`, `DELETE /removals/${id}`, null],
])('%s', async (command, call, body) => {
  api.answers = [reply(200, removal)];
  const { code, stdout } = await api.cli(['--json', ...command.split(' ')]);
  expect([code, JSON.parse(stdout), api.calls]).toEqual([0, removal, [{ call, body }]]);
});

it.each<[what: string, command: string, body: object, shown: RegExp]>([
  [
    'the proof of a removal',
    'creators remove ada --reference r',
    removal,
    /2026-01-31 12:00[^]*1 creator with 2 accounts: slug, name\nkept out by +slug, x\ndigest +c3\n$/,
  ],
  [
    'a removal in advance',
    `creators removal ${id}`,
    { ...removal, deleted: { creators: 0, fields: [], accounts: 0 } },
    /deleted +nothing: nobody with these accounts was in the catalog\n/,
  ],
  [
    'a list',
    'creators removals',
    { removals: [removal], next_cursor: id },
    new RegExp(`${id}  2026-01-31 12:00 +1  r\n\nNext page: --cursor ${id}`),
  ],
  ['the end of a removal', `creators readmit ${id}`, removal, /^Removal \S+ is ended/],
])('%s is shown', async (_what, command, body, shown) => {
  api.answers = [reply(200, body)];
  const { code, stdout } = await api.cli(command);
  expect([code, stdout]).toEqual([0, expect.stringMatching(shown)]);
});
