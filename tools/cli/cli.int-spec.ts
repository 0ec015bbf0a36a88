import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { reply, runCommand, ScriptedAdminApi } from './cli.fixture.js';
import { refundedOrder } from './commands/orders.fixture.js';

const account = '0198c0de-0000-7000-8000-000000000001';
const key = '0198c0de-0000-7000-8000-000000000002';
const order = refundedOrder.id;
const lot = {
  id: '0198c0de-0000-7000-8000-000000000003',
  pack: 'builder',
  credits: 500,
  remaining: 500,
  price_cents: 14_900,
  purchased_at: '2026-01-31T12:00:00.000Z',
  expires_at: '2026-03-02T12:00:00.000Z',
  reference: 'payment 42',
};
const acme = {
  id: account,
  name: 'Acme',
  email: 'a@b.example',
  created_at: lot.purchased_at,
  credits_remaining: 0,
};

let api: ScriptedAdminApi;

beforeAll(async () => (api = await ScriptedAdminApi.start()));
beforeEach(() => api.reset());
afterAll(() => api.stop());

describe('requests', () => {
  const ofAccount = `/accounts/${account}`;

  it.each<[command: string, call: string, body: object | null]>([
    [
      'accounts create --name Acme --email a@b.example',
      'POST /accounts',
      { name: 'Acme', email: 'a@b.example' },
    ],
    ['accounts list --limit 2 --cursor abc', 'GET /accounts?limit=2&cursor=abc', null],
    ['tokens create Eva --role support', 'POST /tokens', { name: 'Eva', role: 'support' }],
    [`tokens withdraw ${key}`, `DELETE /tokens/${key}`, null],
    ['tokens show', 'GET /me', null],
    [
      `log --account ${account} --subject ada --action key.updated --token Eva --limit 5 --cursor ${key}`,
      `GET /log?account_id=${account}&subject=ada&action=key.updated&token=Eva&limit=5&cursor=${key}`,
      null,
    ],
    [`accounts sign-in-link ${account}`, `POST ${ofAccount}/sign-in-link`, {}],
    [
      `accounts sign-in-link ${account} --email a@b.example`,
      `POST ${ofAccount}/sign-in-link`,
      { email: 'a@b.example' },
    ],
    [`accounts suspend ${account} --reason fraud`, `POST ${ofAccount}/suspend`, { reason: 'fraud' }],
    [`accounts resume ${account}`, `POST ${ofAccount}/resume`, null],
    [
      `purchases create ${account} --pack enterprise --reference r --credits 10,000 --price 1800.50`,
      `POST ${ofAccount}/purchases`,
      { pack: 'enterprise', reference: 'r', credits: 10_000, price_cents: 180_050 },
    ],
    [
      `adjustments create ${account} --credits -5 --reason typo --reference r`,
      `POST ${ofAccount}/adjustments`,
      { credits: -5, reason: 'typo', reference: 'r' },
    ],
    [
      `agreements start ${account} --credits 20000 --price 4000`,
      `POST ${ofAccount}/agreement`,
      { credits: 20_000, price_cents: 400_000 },
    ],
    [`agreements end ${account}`, `DELETE ${ofAccount}/agreement`, null],
    [`ledger list ${account}`, `GET ${ofAccount}/ledger`, null],
    [`usage ${account} --from 2026-01-01`, `GET ${ofAccount}/usage?from=2026-01-01`, null],
    ['creators get a/b', 'GET /creators/a%2Fb', null],
    ['creators unpublish ada', 'PATCH /creators/ada', { published: false }],
    ['creators delete ada', 'DELETE /creators/ada', null],
    [
      'creators remove ada --reference r --note n',
      'POST /creators/ada/remove',
      { reference: 'r', note: 'n' },
    ],
    [
      'creators remove --reference r --handle youtube:@ada',
      'POST /removals',
      { reference: 'r', accounts: [{ platform: 'youtube', handle: '@ada' }] },
    ],
    [`creators readmit ${key}`, `DELETE /removals/${key}`, null],
    ['orders list', 'GET /orders', null],
    [
      `orders list --attention --account ${account} --limit 2 --cursor abc`,
      `GET /orders?attention=true&account_id=${account}&limit=2&cursor=abc`,
      null,
    ],
    [`orders show ${order}`, `GET /orders/${order}`, null],
    [`orders resolve ${order} --grant`, `POST /orders/${order}/resolve`, { resolution: 'granted' }],
    [`orders resolve ${order} --refunded`, `POST /orders/${order}/resolve`, { resolution: 'refunded' }],
    [`orders refund ${order}`, `POST /orders/${order}/refund`, {}],
    [`orders refund ${order} --reason fraudulent`, `POST /orders/${order}/refund`, { reason: 'fraudulent' }],
    [`orders accept ${order}`, `POST /orders/${order}/accept`, {}],
    ['sign-in unlink a@b.example', 'POST /people/unlink', { email: 'a@b.example' }],
  ])('%s', async (command, call, body) => {
    api.answers = [reply(201, { ok: true })];
    expect(await api.cli(['--json', ...command.split(' ')])).toEqual({
      code: 0,
      stdout: '{\n  "ok": true\n}\n',
      stderr: '',
    });
    expect(api.calls).toEqual([{ call, body }]);
    expect(api.seen[0]?.headers).toMatchObject({ authorization: 'Bearer the token' });
    expect(api.seen[0]?.headers['content-type']).toBe(body ? 'application/json' : undefined);
  });

  it('`creators put` accepts the output of `creators get`', async () => {
    const record = { slug: 'ada', name: 'Ada', published: false, platforms: [] };
    const creator = { ...record, url: 'http://localhost/creators/ada', total_reach: 0 };
    api.answers = [reply(200, creator), reply(200, creator)];
    const { stdout } = await api.cli('--json creators get ada');
    const run = await api.cli('--json creators put ada -', Readable.from([Buffer.from(stdout)]));
    expect(run.code).toBe(0);
    expect(api.calls[1]?.body).toEqual(record);
  });

  it.each([
    [[1_000, 4, 0], 'Events to be retried: 1,004.\n'],
    [[0], 'Events to be retried: 0.\n'],
  ])('`payments retry-events` repeats its call until no events are left: %j', async (counts, stdout) => {
    api.answers = counts.map((retried) => reply(200, { retried }));
    expect(await api.cli('payments retry-events')).toEqual({ code: 0, stdout, stderr: '' });
    expect(api.calls).toEqual(counts.map(() => ({ call: 'POST /payment-events/retry', body: null })));
  });

  it.each([{ pages: [[{ id: '1' }, { id: '2' }], [{ id: '3' }]] }, { pages: [[]] }])(
    '`ledger export --json` prints all pages as one JSON document: $pages',
    async ({ pages }) => {
      api.answers = pages.map((entries, index) =>
        reply(200, { entries, next_cursor: index < pages.length - 1 ? 'next' : null }),
      );
      const { code, stdout } = await api.cli(`ledger export ${account} --json`);
      expect([code, JSON.parse(stdout)]).toEqual([0, { entries: pages.flat() }]);
      const call = `GET ${ofAccount}/ledger?limit=200`;
      expect(api.calls.map((seen) => seen.call)).toEqual(
        [call, `${call}&cursor=next`].slice(0, pages.length),
      );
    },
  );

  it('`--data-dir` uses the local stack of that directory instead of the service of the environment', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'cli-'));
    const stack = { admin_url: api.url, admin_token: 'of the stack' };
    writeFileSync(join(directory, 'stack.json'), JSON.stringify(stack));
    api.answers = [reply(200, { packs: [] })];
    const environment = { ADMIN_URL: 'http://127.0.0.1:9', ADMIN_TOKEN: 'another' };
    const run = await runCommand(['--data-dir', directory, 'packs'], { environment });
    expect(run.code).toBe(0);
    expect(api.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer of the stack']);
    rmSync(directory, { recursive: true });
  });
});

describe('output', () => {
  const discrepancy = {
    kind: 'lot_remaining_differs',
    account_id: account,
    lot_id: lot.id,
    charge_id: null,
    expected: '5',
    found: '7',
  };
  const audit = { accounts: 1, lots: 1, entries: 9 };
  const link = { url: 'https://api.example/account/sign-in/link?token=abc', email: 'a@b.example' };

  it.each<[what: string, command: string, status: number, body: object, shown: RegExp]>([
    [
      'an account with its lots',
      `accounts show ${account}`,
      200,
      { ...acme, credits_remaining: 1_500, lots: [lot] },
      /credits {2}1,500\n[^]*builder +500 +500 +\$149\.00 +2026-01-31 12:00 +2026-03-02 12:00/,
    ],
    [
      'a sign-in link, its user and its validity',
      `accounts sign-in-link ${account}`,
      201,
      { ...link, valid_for_seconds: 3_600 },
      /^https:\/\/api\.example\/account\/sign-in\/link\?token=abc\n[^]*Signs in a@b\.example once, within 60 minutes\./,
    ],
    [
      'an audit without discrepancies',
      'audit',
      200,
      { ...audit, ok: true, discrepancies: [] },
      /^OK: 1 account, 1 lot, 9 entries\n$/,
    ],
    [
      'what operators have changed, as the fields that differ',
      'log',
      200,
      {
        entries: [
          {
            at: lot.purchased_at,
            token: 'Eva',
            action: 'key.updated',
            subject: key,
            before: { name: 'old', active: true },
            after: { name: 'new', active: true },
          },
          {
            at: lot.purchased_at,
            token: 'Eva',
            action: 'creator.deleted',
            subject: 'ada',
            before: null,
            after: null,
          },
        ],
        next_cursor: key,
      },
      new RegExp(
        `key\\.updated +${key} +name: old -> new\n[^]*creator\\.deleted +ada\n\nNext page: --cursor ${key}`,
      ),
    ],
    [
      'a removed identity',
      'sign-in unlink a@b.example',
      200,
      { forgotten: 1 },
      /^a@b\.example: 1 removed, signed out everywhere\.\n$/,
    ],
  ])('%s is shown', async (_what, command, status, body, shown) => {
    api.answers = [reply(status, body)];
    expect(await api.cli(command)).toEqual({
      code: 0,
      stdout: expect.stringMatching(shown) as string,
      stderr: '',
    });
  });

  it('a discrepancy of the audit is shown, with exit code 1', async () => {
    api.answers = [reply(200, { ...audit, ok: false, discrepancies: [discrepancy] })];
    const { code, stdout } = await api.cli('audit');
    expect(code).toBe(1);
    expect(stdout).toContain('lot_remaining_differs');
  });

  it('a purchase without a reference gets one, which is printed', async () => {
    api.answers = [reply(201, lot)];
    const { stderr, stdout } = await api.cli(`purchases create ${account} --pack builder`);
    const { reference } = api.calls[0]?.body as { reference: string };
    expect(stderr).toContain(`--reference ${reference}`);
    expect(stdout).toContain('500 of 500 left');
  });

  it('a reference that was already used is reported', async () => {
    api.answers = [reply(200, lot)];
    const { stderr } = await api.cli(`purchases create ${account} --pack builder --reference r`);
    expect(stderr).toBe('This reference was already used: nothing was changed.\n');
  });
});
