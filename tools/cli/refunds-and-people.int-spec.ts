import { Readable } from 'node:stream';
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
  ['people report a@b.example', 'POST /people/report', { email: 'a@b.example' }],
  ['people erase a@b.example', 'POST /people/erase', { email: 'a@b.example' }],
  [
    'people erase a@b.example --close-accounts',
    'POST /people/erase',
    { email: 'a@b.example', close_accounts: true },
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

it('an erasure says what was erased, and what is kept and why', async () => {
  const remains = [
    {
      what: 'stripe',
      count: 1,
      why: 'Its own records.',
      urls: ['https://dashboard.stripe.com/payments/pi_1'],
    },
    { what: 'backups', count: null, why: 'Until they expire.' },
  ];
  api.answers = [reply(200, { erased: { people: 1, sign_ins: 2 }, remains })];
  const { stdout } = await api.cli('people erase a@b.example');
  expect(stdout).toMatch(/people +1\nsign ins +2\n/);
  expect(stdout).toContain(
    'stripe (1): Its own records.\n  https://dashboard.stripe.com/payments/pi_1\nbackups: Until',
  );
});

describe('the list of erasures', () => {
  const erasure = (digit: string) => ({
    email_hash: digit.repeat(64),
    erased_at: '2026-03-01T12:00:00.000Z',
    close_accounts: false,
  });
  const erasures = [erasure('a'), erasure('b')];
  const replied = (people: number) => reply(200, { erased: { people, sessions: 0 }, remains: [] });

  it('is printed with all its pages, as it is repeated', async () => {
    api.answers = [
      reply(200, { erasures: [erasures[0]], next_cursor: 'a'.repeat(64) }),
      reply(200, { erasures: [erasures[1]], next_cursor: null }),
    ];
    const { stdout } = await api.cli('--json people erasures');
    expect(JSON.parse(stdout)).toEqual({ erasures });
    api.answers = [replied(1), replied(0)];
    const repeated = await api.cli('people erasures --repeat -', Readable.from([Buffer.from(stdout)]));
    expect(repeated.stdout).toBe('2 erasures repeated, 1 of them had something to erase.\n');
    expect(api.calls.slice(2)).toEqual(
      erasures.map((body) => ({ call: 'POST /people/erasures/repeat', body })),
    );
  });

  it.each(['', 'no JSON', '{"people": []}'])('is no other file: %j', async (content) => {
    const run = await api.cli('people erasures --repeat -', Readable.from([Buffer.from(content)]));
    expect(run).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('people erasures --json') as string,
    });
    expect(api.calls).toEqual([]);
  });
});
