import { reply, ScriptedAdminApi } from './cli.fixture.js';

let api: ScriptedAdminApi;
beforeAll(async () => (api = await ScriptedAdminApi.start()));
beforeEach(() => api.reset());
afterAll(() => api.stop());

const id = '0198c0de-0000-7000-8000-000000000002';
const audit = { accounts: 1, lots: 1, entries: 9 };
const running = { id, kind: 'full', state: 'running', progress: 0, result: null, problem: null };

it('a full audit shows its progress, and its result at the end', async () => {
  const result = { ...audit, ok: true, discrepancies: [] };
  api.answers = [
    reply(202, running),
    reply(200, { ...running, progress: 0.42 }),
    reply(200, { ...running, state: 'done', progress: 1, result }),
  ];
  const { code, stdout, stderr } = await api.cli('audit --full');
  expect(code).toBe(0);
  expect(stdout).toBe('OK: 1 account, 1 lot, 9 entries\n');
  expect(stderr).toMatch(/^Audit .*audit --cancel .*\n42 %\n/);
  expect(api.calls.map(({ call }) => call)).toEqual([
    'POST /ledger/audits',
    `GET /ledger/audits/${id}`,
    `GET /ledger/audits/${id}`,
  ]);
});

it.each([
  ['failed', 'The replica that ran it was stopped.', 'Error: The replica that ran it was stopped.'],
  ['cancelled', null, 'Error: The audit was cancelled.'],
])('a full audit that is %s is no success', async (state, problem, shown) => {
  api.answers = [reply(202, { ...running, state, problem })];
  const { code, stderr } = await api.cli('audit --full');
  expect(code).toBe(1);
  expect(stderr).toContain(shown);
});

it('a full audit is cancelled by its id', async () => {
  api.answers = [reply(200, { ...running, state: 'cancelled' })];
  expect(await api.cli(`audit --cancel ${id}`)).toMatchObject({
    code: 0,
    stdout: `Audit ${id}: cancelled\n`,
  });
});
