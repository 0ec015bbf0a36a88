import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { reply, runCommand, ScriptedAdminApi } from './cli.fixture.js';

const at = '2026-01-31T12:00:00.000Z';
const api = ScriptedAdminApi.forTests();

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

it('`ledger export --json` prints all pages as one JSON document', async () => {
  const pages = [[{ id: '1' }, { id: '2' }], [{ id: '3' }]];
  api.answers = pages.map((entries, index) => reply(200, { entries, next_cursor: ['next', null][index] }));
  const { stdout } = await api.cli('ledger export A --json');
  expect(JSON.parse(stdout)).toEqual({ entries: pages.flat() });
  const call = 'GET /accounts/A/ledger?limit=200';
  expect(api.calls.map((seen) => seen.call)).toEqual([call, `${call}&cursor=next`]);
});

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
it.each<[what: string, command: string, answer: object, shown: RegExp]>([
  [
    'other accounts with the address of a new one',
    'accounts create --name Acme --email a@b.example',
    { id: 'A', ...acme, same_email: ['B'] },
    /\n\nWarning: this address also has the account B\.\n$/,
  ],
  [
    'what operators have changed, as the fields that differ',
    'log',
    { entries: logEntries, next_cursor: 'abc' },
    /key\.updated +K +name: old -> new\n[^]*creator\.deleted +K +-\n\nNext page: --cursor abc\n$/,
  ],
  [
    'what was erased, and what can be erased at Stripe',
    'people erase a@b.example',
    { erased: { people: 1, sign_ins: 2 }, payment_urls: ['https://dashboard.stripe.com/payments/pi_1'] },
    /erased +people 1, sign ins 2\npayment urls +https:\/\/dashboard\.stripe\.com\/payments\/pi_1\n\nErase the person at Stripe/,
  ],
  [
    'the options of the operator for an order',
    'orders show O',
    { id: 'O', actions: ['accept', 'grant', 'mark_refunded', 'refund'] },
    /Options:\nnpm run cli -- orders accept O +writes off .*\n.*resolve O --grant .*\n.*resolve O --refunded .*\n.*refund O /,
  ],
])('shows %s', async (_what, command, answer, shown) => {
  api.answers = [reply(200, answer)];
  expect(await api.cli(command)).toMatchObject({ code: 0, stdout: expect.stringMatching(shown) as string });
});

it('a discrepancy of the audit is shown, with exit code 1', async () => {
  const discrepancy = { kind: 'lot_remaining_differs', account_id: 'A', expected: '5', found: '7' };
  api.answers = [reply(200, { ok: false, discrepancies: [discrepancy] })];
  const { code, stdout } = await api.cli('audit');
  expect([code, stdout]).toEqual([1, expect.stringContaining('lot_remaining_differs')]);
});

it('a purchase without a reference gets one, which is printed; one that was already used is reported', async () => {
  const lot = { credits: 500, remaining: 500 };
  api.answers = [reply(201, lot), reply(200, lot)];
  const { stderr, stdout } = await api.cli('purchases create A --pack builder');
  const { reference } = api.calls[0]?.body as { reference: string };
  expect(stderr).toContain(`--reference ${reference}`);
  expect(stdout).toMatch(/^credits +500\nremaining +500$/m);
  const again = await api.cli(`purchases create A --pack builder --reference ${reference}`);
  expect(again.stderr).toBe('This reference was already used: nothing was changed.\n');
});
