import * as contracts from '#contracts';
import { type CreatedKey, type StatementEntry, listStatement, type MessageContract } from '#contracts';
import { hashApiKey, isWellFormedApiKey, sha256 } from '#platform';
import { AdminFixture } from './admin.fixture.js';

const admin = AdminFixture.forTests({ SITE_URL: 'https://site.example/' });

const ids = {
  account_id: '0198c0de-0000-7000-8000-000000000001',
  key_id: '0198c0de-0000-7000-8000-000000000002',
  order_id: '0198c0de-0000-7000-8000-000000000003',
  lot_id: '0198c0de-0000-7000-8000-000000000004',
  removal_id: '0198c0de-0000-7000-8000-000000000005',
  import_id: '0198c0de-0000-7000-8000-000000000006',
  slug: 'ada',
};
const { account_id } = ids;
const email = 'a@b.example';

type Contracts = typeof contracts;
type ContractName = {
  [Name in keyof Contracts]: Contracts[Name] extends { pattern: string } ? Name : never;
}[keyof Contracts];

const days = { from: '2026-01-01', to: '2026-01-31' };
const ofAccount = '/accounts/:account_id';

/** The message that a route sends, with the ids of its path, its query and its body. Others: test/e2e/admin-log.e2e-spec.ts. */
const routes: readonly (readonly [call: string, message: ContractName, given?: object])[] = [
  [`GET /accounts?limit=200&cursor=abc&email=${email}`, 'listAccounts', { limit: 200, cursor: 'abc', email }],
  [`GET ${ofAccount}`, 'getAccount'],
  [`GET ${ofAccount}/keys`, 'listKeys'],
  [`GET ${ofAccount}/keys/:key_id`, 'getKey'],
  ['GET /packs', 'listPacks'],
  [`GET ${ofAccount}/agreement`, 'getAgreement'],
  [`GET ${ofAccount}/ledger?limit=1`, 'listStatement', { limit: 1 }],
  [`GET ${ofAccount}/usage?from=2026-01-01&to=2026-01-31`, 'getUsage', days],
  ['GET /ledger/audit', 'auditLedger'],
  ['GET /orders?attention=true&limit=10', 'listOrderReviews', { attention: true, limit: 10 }],
  ['GET /orders/:order_id', 'getOrderReview'],
  ['POST /orders/:order_id/resolve', 'resolveOrder', { resolution: 'granted' }],
  ['POST /people/report', 'getPersonReport', { email }],
  [
    'GET /creators?source=a+list&country=Peru&platform=x&published=true&limit=2&cursor=ada',
    'listCreators',
    { source: 'a list', country: 'Peru', platform: 'x', published: true, limit: 2, cursor: 'ada' },
  ],
  ['POST /creators/unpublish', 'unpublishCreators', { source: 'a list', dry_run: true }],
  ['GET /creators/:slug', 'getCreator', { history: false }],
  ['POST /creators/:slug/join', 'joinCreator', { into: 'bea' }],
  ['GET /duplicates?limit=2', 'listDuplicates', { limit: 2 }],
  ['GET /removals?limit=2', 'listRemovals', { limit: 2 }],
  ['GET /removals/:removal_id', 'getRemoval'],
  ['GET /imports?limit=2', 'listImports', { limit: 2 }],
  ['POST /imports/:import_id/undo', 'undoImport'],
  ['GET /tokens', 'listAdminTokens'],
];

const withIds = (call: string) => call.replaceAll(/:(\w+)/g, (_all, name: keyof typeof ids) => ids[name]);

const all = routes.map(([call, name, given = {}]) => [call, name, given] as const);

it.each(all)('%s asks its service for what its path, query and body say', async (call, name, given) => {
  const message = contracts[name] as MessageContract<unknown, unknown>;
  const inPath = Object.entries(ids).filter(([id]) => call.includes(`:${id}`));
  const hasBody = !call.startsWith('GET') && Object.keys(given).length > 0;
  admin.on(message, () => ({ items: [], next_cursor: null }));
  const reply = await admin.call(withIds(call), hasBody ? given : undefined);
  expect([reply.status, reply.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(admin.received).toMatchObject([
    { pattern: message.pattern, payload: { ...given, ...Object.fromEntries(inPath) } },
  ]);
});

it('a malformed id in a path is refused, and a field that a body does not have, before anything is asked', async () => {
  const { routes: registered } = (await admin.call('GET /me')).body as { routes: string[] };
  const paths = registered.map((route) => route.replace('/admin/v1', ''));
  const withoutBody = /^(GET|DELETE)|\/(resume|accept|undo|import)$/;
  for (const route of paths.filter((each) => each.includes(':'))) {
    const reply = await admin.call(route.replaceAll(/:\w+/g, '5--'));
    expect([route, reply.status]).toEqual([
      route,
      withoutBody.test(route) ? 404 : (expect.any(Number) as number),
    ]);
  }
  for (const route of paths.filter((each) => !withoutBody.test(each))) {
    const reply = await admin.call(withIds(route), { typo: 1 });
    expect([route, reply]).toMatchObject([
      route,
      { status: 400, body: { details: { typo: [expect.any(String) as string] } } },
    ]);
  }
  expect(admin.received).toEqual([]);
});

it('billing gets only the hashes of a key and of a link, which are shown once', async () => {
  admin.on(contracts.createKey, ({ prefix }) => ({ created: true, key: { prefix } as contracts.KeyView }));
  admin.on(contracts.createSignInLink, () => ({ email, valid_for_seconds: 3_600 }));
  const { key, prefix } = (await admin.call(withIds('POST /accounts/:account_id/keys'), { name: 'tool' }))
    .body as CreatedKey;
  const { url } = (await admin.call(withIds('POST /accounts/:account_id/sign-in-link'), {})).body as {
    url: string;
  };
  const [, token = ''] =
    /^https:\/\/site\.example\/account\/sign-in\/link\?token=([\w-]{43})$/.exec(url) ?? [];
  expect([isWellFormedApiKey(key), key.startsWith(prefix)]).toEqual([true, true]);
  expect(admin.received.map(({ payload }) => payload)).toMatchObject([
    { key_hash: hashApiKey(key) },
    { token_hash: sha256(token) },
  ]);
  expect(JSON.stringify(admin.received)).not.toMatch(new RegExp(`${key}|${token}`));
});

it('the ledger as a file has every field of an entry', async () => {
  const entry: StatementEntry = {
    id: '7',
    at: '2026-01-31T12:00:00.000Z',
    type: 'charge',
    credits: -2,
    lot_id: 'lot-1',
    charge_id: 'charge-1',
    request_id: 'request-1',
    operation: 'search',
    key_id: 'key-1',
    state: 'posted',
    reference: 'ticket 7',
    reason: 'slow, twice',
    balance_after: 8,
    pack: 'trial',
  };
  admin.on(listStatement, () => ({ items: [entry], next_cursor: null, online_since: null }));
  const { headers, body } = await admin.call(`GET /accounts/${account_id}/ledger.csv`);
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="ledger-${account_id}.csv"`,
  });
  const values = Object.values({ ...entry, reason: '"slow, twice"' });
  expect(body).toBe(`${Object.keys(entry).join(',')}\r\n${values.join(',')}\r\n`);
});
