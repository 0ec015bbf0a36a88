import { reply, ScriptedAdminApi } from './cli.fixture.js';

const account = '0198c0de-0000-7000-8000-000000000001';
const key = '0198c0de-0000-7000-8000-000000000002';
const ofAccount = `/accounts/${account}`;

let api: ScriptedAdminApi;

beforeAll(async () => (api = await ScriptedAdminApi.start()));
beforeEach(() => api.reset());
afterAll(() => api.stop());

it.each<[command: string, call: string, body: object | null]>([
  [`keys rename ${account} ${key} tool`, `PATCH ${ofAccount}/keys/${key}`, { name: 'tool' }],
  [`keys disable ${account} ${key}`, `PATCH ${ofAccount}/keys/${key}`, { active: false }],
  [
    `keys create ${account} --name tool --expires 2027-01-31 --monthly-limit 500`,
    `POST ${ofAccount}/keys`,
    { name: 'tool', expires_at: '2027-02-01T00:00:00.000Z', monthly_limit: 500 },
  ],
  [`keys update ${account} ${key} --expires never`, `PATCH ${ofAccount}/keys/${key}`, { expires_at: null }],
  [
    `keys rotate ${account} ${key} --overlap-hours 0`,
    `POST ${ofAccount}/keys/${key}/rotate`,
    { overlap_hours: 0 },
  ],
  [
    `keys update ${account} ${key} --monthly-limit 5,000 --expires 2027-01-31T12:00:00Z`,
    `PATCH ${ofAccount}/keys/${key}`,
    { monthly_limit: 5_000, expires_at: '2027-01-31T12:00:00.000Z' },
  ],
  [
    `keys update ${account} ${key} --monthly-limit none`,
    `PATCH ${ofAccount}/keys/${key}`,
    { monthly_limit: null },
  ],
  [`keys enable ${account} ${key}`, `PATCH ${ofAccount}/keys/${key}`, { active: true }],
  [`keys delete ${account} ${key}`, `DELETE ${ofAccount}/keys/${key}`, null],
])('%s', async (command, call, body) => {
  api.answers = [reply(201, { ok: true })];
  expect(await api.cli(['--json', ...command.split(' ')])).toMatchObject({ code: 0, stderr: '' });
  expect(api.calls).toEqual([{ call, body }]);
});
