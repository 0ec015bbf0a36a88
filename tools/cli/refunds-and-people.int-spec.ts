import { reply, ScriptedAdminApi } from './cli.fixture.js';

const account = '0198c0de-0000-7000-8000-000000000001';
const lot = '0198c0de-0000-7000-8000-000000000003';

let api: ScriptedAdminApi;

beforeAll(async () => (api = await ScriptedAdminApi.start()));
beforeEach(() => api.reset());
afterAll(() => api.stop());

it.each<[command: string, call: string, body: object]>([
  [
    `accounts update ${account} --name Acme --email a@b.example`,
    `PATCH /accounts/${account}`,
    { name: 'Acme', email: 'a@b.example' },
  ],
  [
    `lots refund ${account} ${lot} --reason mistake --reference r`,
    `POST /accounts/${account}/lots/${lot}/refund`,
    { reason: 'mistake', reference: 'r' },
  ],
])('%s', async (command, call, body) => {
  api.answers = [reply(201, { ok: true })];
  expect(await api.cli(`--json ${command}`)).toMatchObject({ code: 0, stdout: '{\n  "ok": true\n}\n' });
  expect(api.calls).toEqual([{ call, body }]);
});

it('a refund of a lot shows what was taken and what was not there', async () => {
  const at = '2026-01-31T12:00:00.000Z';
  const refund = { at, reason: 'm', reference: 'r', credits_taken_back: 1_490, credits_not_recovered: 10 };
  const terms = {
    id: lot,
    pack: 'builder',
    credits: 1_500,
    remaining: 0,
    price_cents: 14_900,
    reference: 'p',
  };
  api.answers = [reply(201, { ...terms, purchased_at: at, expires_at: at, refund })];
  const { stdout } = await api.cli(`lots refund ${account} ${lot} --reason m --reference r`);
  expect(stdout).toMatch(/refunded +1,490 \(10 not recovered\)/);
});
