import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { reply, runCommand, ScriptedAdminApi } from './cli.fixture.js';
import { refundedOrder } from './orders.fixture.js';

const at = '2026-01-31T12:00:00.000Z';
const lot = {
  id: 'L',
  pack: 'builder',
  credits: 500,
  remaining: 500,
  price_cents: 14_900,
  purchased_at: at,
  expires_at: '2026-03-02T12:00:00.000Z',
  reference: 'payment 42',
};

let api: ScriptedAdminApi;

beforeAll(async () => (api = await ScriptedAdminApi.start()));
beforeEach(() => api.reset());
afterAll(() => api.stop());

const acme = { name: 'Acme', email: 'a@b.example' };

// A is an account, K a key or the id of something else.
it.each<[command: string, call: string, ...body: object[]]>([
  ['accounts create --name Acme --email a@b.example', 'POST /accounts', acme],
  [
    'accounts list --email a@b.example --limit 2 --cursor abc',
    'GET /accounts?email=a%40b.example&limit=2&cursor=abc',
  ],
  ['accounts update A --name Acme --email a@b.example', 'PATCH /accounts/A', acme],
  ['accounts sign-in-link A --email e', 'POST /accounts/A/sign-in-link', { email: 'e' }],
  ['accounts suspend A --reason fraud', 'POST /accounts/A/suspend', { reason: 'fraud' }],
  ['accounts resume A', 'POST /accounts/A/resume'],
  ['keys list A', 'GET /accounts/A/keys'],
  [
    'keys create A --expires 2027-01-31 --monthly-limit 500',
    'POST /accounts/A/keys',
    { name: 'default', expires_at: '2027-02-01T00:00:00.000Z', monthly_limit: 500 },
  ],
  ['keys create A --mode test', 'POST /accounts/A/keys', { name: 'default', mode: 'test' }],
  ['keys update A K --monthly-limit 5,000', 'PATCH /accounts/A/keys/K', { monthly_limit: 5_000 }],
  ['keys update A K --expires never', 'PATCH /accounts/A/keys/K', { expires_at: null }],
  ['keys rename A K tool', 'PATCH /accounts/A/keys/K', { name: 'tool' }],
  ['keys enable A K', 'PATCH /accounts/A/keys/K', { active: true }],
  ['keys disable A K', 'PATCH /accounts/A/keys/K', { active: false }],
  ['keys rotate A K --overlap-hours 0', 'POST /accounts/A/keys/K/rotate', { overlap_hours: 0 }],
  ['keys delete A K', 'DELETE /accounts/A/keys/K'],
  [
    'purchases create A --pack enterprise --reference r --credits 10,000 --price 1800.50 --purchased-at 2026-01-31',
    'POST /accounts/A/purchases',
    {
      pack: 'enterprise',
      reference: 'r',
      credits: 10_000,
      price_cents: 180_050,
      purchased_at: '2026-01-31',
    },
  ],
  [
    'adjustments create A --credits -5 --reason typo --reference r',
    'POST /accounts/A/adjustments',
    { credits: -5, reason: 'typo', reference: 'r' },
  ],
  [
    'lots refund A K --reason mistake --reference r',
    'POST /accounts/A/lots/K/refund',
    { reason: 'mistake', reference: 'r' },
  ],
  [
    'agreements start A --credits 20000 --price 4000 --starts-at 2026-01-31',
    'POST /accounts/A/agreement',
    { credits: 20_000, price_cents: 400_000, starts_at: '2026-01-31' },
  ],
  ['agreements show A', 'GET /accounts/A/agreement'],
  ['agreements end A', 'DELETE /accounts/A/agreement'],
  ['usage A --from 2026-01-01', 'GET /accounts/A/usage?from=2026-01-01'],
  [
    'creators list --source s --country Peru --platform x --no-published --limit 2 --cursor a',
    'GET /creators?source=s&country=Peru&platform=x&published=false&limit=2&cursor=a',
  ],
  ['creators show a/b', 'GET /creators/a%2Fb'],
  ['creators publish ada', 'PATCH /creators/ada', { published: true }],
  ['creators unpublish ada', 'PATCH /creators/ada', { published: false }],
  ['creators delete ada', 'DELETE /creators/ada'],
  ['creators duplicates --limit 5 --cursor ada,bea', 'GET /duplicates?limit=5&cursor=ada%2Cbea'],
  ['creators join ada bea', 'POST /creators/ada/join', { into: 'bea' }],
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
  ['creators removal K', 'GET /removals/K'],
  ['creators removals --limit 5', 'GET /removals?limit=5'],
  ['creators readmit K', 'DELETE /removals/K'],
  [
    'orders list --attention --account A --limit 2 --cursor abc',
    'GET /orders?attention=true&account_id=A&limit=2&cursor=abc',
  ],
  ['orders show K', 'GET /orders/K'],
  ['orders resolve K --grant', 'POST /orders/K/resolve', { resolution: 'granted' }],
  ['orders resolve K --refunded', 'POST /orders/K/resolve', { resolution: 'refunded' }],
  ['orders refund K --reason fraudulent', 'POST /orders/K/refund', { reason: 'fraudulent' }],
  ['orders accept K', 'POST /orders/K/accept'],
  ['sign-in unlink a@b.example', 'POST /people/unlink', { email: 'a@b.example' }],
  ['people report a@b.example', 'POST /people/report', { email: 'a@b.example' }],
  ['people erase e --close-accounts', 'POST /people/erase', { email: 'e', close_accounts: true }],
  ['tokens create Eva --role support', 'POST /tokens', { name: 'Eva', role: 'support' }],
  ['tokens withdraw K', 'DELETE /tokens/K'],
  ['tokens show', 'GET /me'],
  [
    'log --account A --subject ada --action key.updated --token Eva --limit 5 --cursor K',
    'GET /log?account_id=A&subject=ada&action=key.updated&token=Eva&limit=5&cursor=K',
  ],
])('%s', async (command, call, ...[body]) => {
  api.answers = [reply(201, { ok: true })];
  expect(await api.cli(`--json ${command}`)).toEqual({
    code: 0,
    stdout: '{\n  "ok": true\n}\n',
    stderr: '',
  });
  expect(api.calls).toEqual([{ call, body: body ?? null }]);
  expect(api.seen[0]?.headers).toMatchObject({ authorization: 'Bearer the token' });
  expect(api.seen[0]?.headers['content-type']).toBe(body ? 'application/json' : undefined);
});

it('`creators put` accepts the output of `creators show`', async () => {
  const record = { slug: 'ada', name: 'Ada', published: false, platforms: [] };
  const creator = { ...record, url: 'http://localhost/creators/ada', total_reach: 0, source: null };
  api.answers = [reply(200, creator), reply(200, creator)];
  const { stdout } = await api.cli('--json creators show ada');
  const run = await api.cli('--json creators put ada -', Readable.from([Buffer.from(stdout)]));
  expect(run.code).toBe(0);
  expect(api.calls[1]?.body).toEqual(record);
});

it('`accounts create` warns of other accounts with the same address', async () => {
  const created = { id: 'A', ...acme, created_at: at, credits_remaining: 0 };
  api.answers = [reply(201, { ...created, same_email: ['B'] }), reply(201, created)];
  const create = async () => (await api.cli('accounts create --name Acme --email a@b.example')).stdout;
  expect(await create()).toContain('\n\nWarning: this address also has the account B.\n');
  expect(await create()).not.toContain('Warning');
});

it.each([{ pages: [[{ id: '1' }, { id: '2' }], [{ id: '3' }]] }, { pages: [[]] }])(
  '`ledger export --json` prints all pages as one JSON document: $pages',
  async ({ pages }) => {
    api.answers = pages.map((entries, index) =>
      reply(200, { entries, next_cursor: index < pages.length - 1 ? 'next' : null }),
    );
    const { stdout } = await api.cli('ledger export A --json');
    expect(JSON.parse(stdout)).toEqual({ entries: pages.flat() });
    const call = 'GET /accounts/A/ledger?limit=200';
    expect(api.calls.map((seen) => seen.call)).toEqual([call, `${call}&cursor=next`].slice(0, pages.length));
  },
);

it('`--data-dir` uses the local stack of that directory instead of the service of the environment', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cli-'));
  const stack = { admin_url: api.url, admin_token: 'of the stack' };
  writeFileSync(join(directory, 'stack.json'), JSON.stringify(stack));
  api.answers = [reply(200, { packs: [] })];
  const environment = { ADMIN_URL: 'http://127.0.0.1:9', ADMIN_TOKEN: 'another' };
  expect(await runCommand(['--data-dir', directory, 'packs'], { environment })).toMatchObject({ code: 0 });
  expect(api.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer of the stack']);
  rmSync(directory, { recursive: true });
});

it('--version prints the version and the commit', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect((await runCommand(['--version'], { environment: {} })).stdout).toContain(`${version} (`);
});

const changed = { at, token: 'Eva', subject: 'K' };
const logEntries = [
  { ...changed, action: 'key.updated', before: { name: 'old', on: true }, after: { name: 'new', on: true } },
  { ...changed, action: 'creator.deleted', before: null, after: null },
];
const audit = { accounts: 1, lots: 1, entries: 9 };
const discrepancy = { kind: 'lot_remaining_differs', account_id: 'A', expected: '5', found: '7' };
const review = {
  ...refundedOrder,
  problem: '20000 cents were paid, not 14900',
  problem_at: at,
  concerns: ['problem'],
  actions: ['grant', 'mark_refunded', 'refund'],
  person: { ...refundedOrder.person, email: null },
  paid: null,
};
it.each<[what: string, command: string, answer: object, ...shown: RegExp[]]>([
  [
    'an account with its lots',
    'accounts show A',
    { ...acme, id: 'A', created_at: at, credits_remaining: 1_500, lots: [lot] },
    /credits remaining {2}1,500\n\n[^]*builder +500 +500 +\$149\.00 +2026-01-31 12:00 +2026-03-02 12:00/,
  ],
  [
    'a sign-in link and its user',
    'accounts sign-in-link A',
    { url: 'https://api.example/link?token=abc', email: 'a@b.example', valid_for_seconds: 3_600 },
    /^url +https:\/\/api\.example\/link\?token=abc\nemail +a@b\.example\n[^]*\n\nAnyone with this link/,
  ],
  [
    'an audit',
    'audit',
    { ok: true, ...audit, discrepancies: [] },
    /^ok +yes\naccounts +1\nlots +1\nentries +9\n/,
  ],
  [
    'what operators have changed, as the fields that differ',
    'log',
    { entries: logEntries, next_cursor: 'abc' },
    /key\.updated +K +name: old -> new\n[^]*creator\.deleted +K +-\n\nNext page: --cursor abc\n$/,
  ],
  [
    'what a refund of a lot took, and what was not there',
    'lots refund A L --reason m --reference r',
    { ...lot, refund: { credits_taken_back: 1_490, credits_not_recovered: 10 } },
    /refund +credits taken back 1,490, credits not recovered 10\n/,
  ],
  [
    'what was erased, and what can be erased at Stripe',
    'people erase a@b.example',
    { erased: { people: 1, sign_ins: 2 }, payment_urls: ['https://dashboard.stripe.com/payments/pi_1'] },
    /erased +people 1, sign ins 2\npayment urls +https:\/\/dashboard\.stripe\.com\/payments\/pi_1\n\nErase the person at Stripe/,
  ],
  [
    'calls and credits, and their sums',
    'usage A',
    { from: '2026-01-01', to: '2026-01-31', usage: [{ day: '2026-01-01', calls: 2, credits: 1_500 }] },
    /^from +2026-01-01\nto +2026-01-31\n\nDAY +CALLS +CREDITS\n2026-01-01 +2 +1,500\n\n2 calls, 1,500 credits\n$/,
  ],
  [
    'an order with its payment and the options of the operator',
    'orders show K',
    refundedOrder,
    /^account +id 0198c0de-0000-7000-8000-000000000001, name Acme, email ops@acme\.example$/m,
    /^ordered +2026-01-31 12:00 UTC$/m,
    /^paid +subtotal \$149\.00, discount \$0\.00, tax \$28\.31, total \$177\.31$/m,
    /^concerns +not_recovered$/m,
    /^credits not recovered +20$/m,
    /Options:\nnpm run cli -- orders accept 0198c0de-0000-7000-8000-000000000009 +writes off .*\n$/,
  ],
  [
    'a problem of an order with the ways to end it',
    'orders show K',
    review,
    /^problem +20000 cents were paid, not 14900$/m,
    /^person +id 0198c0de-0000-7000-8000-000000000004, email -$/m,
    /orders resolve \S{36} --grant .*\n.*orders resolve \S{36} --refunded .*\n.*orders refund /,
  ],
  ['no options if there are none', 'orders show K', { ...refundedOrder, actions: [] }, /^(?![^]*Options)/],
  [
    'orders with what needs attention',
    'orders list',
    { orders: [refundedOrder], next_cursor: null },
    /builder +\$149\.00 +\$177\.31 +granted +not_recovered\n$/,
  ],
])('shows %s', async (_what, command, answer, ...shown) => {
  api.answers = [reply(200, answer)];
  const { code, stdout } = await api.cli(command);
  expect(code).toBe(0);
  for (const pattern of shown) expect(stdout).toMatch(pattern);
});

it('a discrepancy of the audit is shown, with exit code 1', async () => {
  api.answers = [reply(200, { ...audit, ok: false, discrepancies: [discrepancy] })];
  const { code, stdout } = await api.cli('audit');
  expect([code, stdout]).toEqual([1, expect.stringContaining('lot_remaining_differs')]);
});

it('a purchase without a reference gets one, which is printed; one that was already used is reported', async () => {
  api.answers = [reply(201, lot), reply(200, lot)];
  const { stderr, stdout } = await api.cli('purchases create A --pack builder');
  const { reference } = api.calls[0]?.body as { reference: string };
  expect(stderr).toContain(`--reference ${reference}`);
  expect(stdout).toMatch(/^credits +500\nremaining +500$/m);
  const again = await api.cli(`purchases create A --pack builder --reference ${reference}`);
  expect(again.stderr).toBe('This reference was already used: nothing was changed.\n');
});
