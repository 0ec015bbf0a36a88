import * as contracts from '#contracts';
import { type CreatedKey, type LedgerEntryView, listLedger, type MessageContract } from '#contracts';
import { hashApiKey, isWellFormedApiKey, sha256 } from '#platform';
import { AdminFixture } from './admin.fixture.js';

const admin = AdminFixture.forTests({ environment: { SITE_URL: 'https://site.example/' } });

const ids = {
  account_id: '0198c0de-0000-7000-8000-000000000001',
  key_id: '0198c0de-0000-7000-8000-000000000002',
  order_id: '0198c0de-0000-7000-8000-000000000003',
  lot_id: '0198c0de-0000-7000-8000-000000000004',
  removal_id: '0198c0de-0000-7000-8000-000000000005',
  import_id: '0198c0de-0000-7000-8000-000000000006',
  token_id: '0198c0de-0000-7000-8000-000000000006',
  slug: 'ada',
};
const { account_id } = ids;
const at = '2026-01-31T12:00:00.000Z';
const email = 'a@b.example';

type Contracts = typeof contracts;
type ContractName = {
  [Name in keyof Contracts]: Contracts[Name] extends { pattern: string } ? Name : never;
}[keyof Contracts];

const trial = { pack: 'trial', reference: 'r' };
const enterprise = { credits: 10_000, price_cents: 180_000 };
const goodwill = { credits: 5, reason: 'sorry', reference: 'r' };
const record = { name: 'Ada', country: 'Norway', languages: [], categories: ['art'], platforms: [] };
const accounts = [{ platform: 'youtube', handle: '@ada' }];
const days = { from: '2026-01-01', to: '2026-01-31' };
const ofAccount = '/accounts/:account_id';
const ofKey = '/accounts/:account_id/keys/:key_id';

/** The message that each route sends, with the ids of its path, its query and its body. */
const routes: readonly (readonly [call: string, message: ContractName, given?: object])[] = [
  ['POST /accounts', 'createAccount', { name: 'Acme', email }],
  [`GET /accounts?limit=200&cursor=abc&email=${email}`, 'listAccounts', { limit: 200, cursor: 'abc', email }],
  [`GET ${ofAccount}`, 'getAccount'],
  [`PATCH ${ofAccount}`, 'updateAccount', { email }],
  [`POST ${ofAccount}/suspend`, 'suspendAccount', { reason: 'resells credits' }],
  [`POST ${ofAccount}/resume`, 'resumeAccount'],
  [`POST ${ofAccount}/keys`, 'createKey', { name: 'tool' }],
  [`GET ${ofAccount}/keys`, 'listKeys'],
  [`GET ${ofKey}`, 'getKey'],
  [`PATCH ${ofKey}`, 'updateKey', { active: false, monthly_limit: null }],
  [`DELETE ${ofKey}`, 'deleteKey'],
  [`POST ${ofKey}/rotate`, 'rotateKey', { overlap_hours: 0 }],
  ['GET /packs', 'listPacks'],
  [`POST ${ofAccount}/purchases`, 'purchase', { ...trial, ...enterprise, purchased_at: at }],
  [`POST ${ofAccount}/agreement`, 'startAgreement', enterprise],
  [`GET ${ofAccount}/agreement`, 'getAgreement'],
  [`DELETE ${ofAccount}/agreement`, 'endAgreement'],
  [`POST ${ofAccount}/adjustments`, 'adjust', goodwill],
  [`POST ${ofAccount}/lots/:lot_id/refund`, 'refundLot', { reason: 'by mistake', reference: 'note 7' }],
  [`GET ${ofAccount}/ledger?limit=1`, 'listLedger', { limit: 1 }],
  [`GET ${ofAccount}/usage?from=2026-01-01&to=2026-01-31`, 'getUsage', days],
  ['GET /ledger/audit', 'auditLedger'],
  ['GET /orders?attention=true&limit=10', 'listOrderReviews', { attention: true, limit: 10 }],
  ['GET /orders/:order_id', 'getOrderReview'],
  ['POST /orders/:order_id/resolve', 'resolveOrder', { resolution: 'granted' }],
  ['POST /orders/:order_id/refund', 'refundOrder', { reason: 'fraudulent' }],
  ['POST /orders/:order_id/accept', 'acceptOrder'],
  [`POST ${ofAccount}/sign-in-link`, 'createSignInLink', { email }],
  ['POST /people/unlink', 'forgetIdentities', { email }],
  ['POST /people/report', 'getPersonReport', { email }],
  ['POST /people/erase', 'erasePerson', { email, close_accounts: true }],
  [
    'GET /creators?source=a+list&country=Peru&platform=x&published=true&limit=2&cursor=ada',
    'listCreators',
    { source: 'a list', country: 'Peru', platform: 'x', published: true, limit: 2, cursor: 'ada' },
  ],
  ['POST /creators/unpublish', 'unpublishCreators', { source: 'a list', dry_run: true }],
  ['GET /creators/:slug', 'getCreator', { history: false }],
  ['PUT /creators/:slug', 'putCreator', record],
  ['PATCH /creators/:slug', 'publishCreator', { published: false }],
  ['DELETE /creators/:slug', 'deleteCreator'],
  ['POST /creators/:slug/join', 'joinCreator', { into: 'bea' }],
  ['GET /duplicates?limit=2', 'listDuplicates', { limit: 2 }],
  ['POST /creators/:slug/remove', 'removeCreator', { reference: 'r' }],
  ['POST /removals', 'removeCreator', { reference: 'r', note: 'n', accounts }],
  ['GET /removals?limit=2', 'listRemovals', { limit: 2 }],
  ['GET /removals/:removal_id', 'getRemoval'],
  ['DELETE /removals/:removal_id', 'readmitCreator'],
  ['GET /imports?limit=2', 'listImports', { limit: 2 }],
  ['POST /imports/:import_id/undo', 'undoImport'],
  ['POST /tokens', 'createAdminToken', { name: 'Eva', role: 'read' }],
  ['GET /tokens', 'listAdminTokens'],
  ['DELETE /tokens/:token_id', 'withdrawAdminToken'],
];

const withIds = (call: string) => call.replaceAll(/:(\w+)/g, (_all, name: keyof typeof ids) => ids[name]);

const all = routes.map(([call, name, given = {}]) => [call, name, given] as const);

describe.each(all)('%s', (call, name, given) => {
  const message = contracts[name] as MessageContract<unknown, unknown>;
  const names = [...call.matchAll(/:(\w+)/g)].map(([, id]) => id as keyof typeof ids);
  const inPath = Object.fromEntries(names.map((id) => [id, ids[id]]));
  const hasBody = !call.startsWith('GET') && Object.keys(given).length > 0;

  it('asks its service for what its path, query and body say', async () => {
    // A new secret is of the kind of its key.
    const before = name === 'rotateKey' ? [contracts.getKey.pattern] : [];
    admin.on(contracts.getKey, () => ({ mode: 'test' }) as contracts.KeyView);
    admin.on(message, () => ({ created: true, items: [], next_cursor: null }));
    const reply = await admin.call(withIds(call), hasBody ? given : undefined);
    expect([200, 201]).toContain(reply.status);
    expect(reply.headers['cache-control']).toBe('no-store');
    const { record: nested, ...payload } = admin.received.at(-1)?.payload as { record?: object };
    expect({ ...payload, ...nested }).toMatchObject({ ...given, ...inPath });
    expect(admin.received.map(({ pattern }) => pattern)).toEqual([...before, message.pattern]);
  });

  if (hasBody) {
    it('is a 400 with a field that it does not have', async () => {
      const reply = await admin.call(withIds(call), { ...given, typo: 1 });
      expect(reply).toMatchObject({ status: 400, body: { details: { typo: [expect.any(String)] } } });
      expect(admin.received).toEqual([]);
    });
  }

  if (names.length > 0) {
    it('is a 404 with a malformed id', async () => {
      const reply = await admin.call(call.replaceAll(/:\w+/g, '5--'), hasBody ? given : undefined);
      expect(reply.status).toBe(404);
      expect(admin.received).toEqual([]);
    });
  }
});

it('these are all routes, besides the log, two that stream and the one that lists them', async () => {
  const { routes: registered } = (await admin.call('GET /me')).body as { routes: string[] };
  const tested = routes.map(([call]) => call.replace(/\?.*/, ''));
  const rest = registered.filter((route) => !tested.includes(route.replace('/admin/v1', '')));
  expect(rest.map((route) => route.replace('/admin/v1', '')).sort()).toEqual([
    'GET /accounts/:account_id/ledger.csv',
    'GET /log',
    'GET /me',
    'POST /creators/import',
  ]);
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

it('the ledger as a file has every page, and every field of an entry', async () => {
  const ofCharge = { lot_id: 'lot-1', charge_id: 'charge-1', request_id: 'request-1', key_id: 'key-1' };
  const entry: LedgerEntryView = {
    ...ofCharge,
    id: '7',
    at,
    type: 'charge',
    credits: -2,
    operation: 'search',
    state: 'posted',
    reference: null,
    reason: null,
  };
  const older = { ...entry, id: '6', reference: 'ticket 7', reason: 'slow, twice' };
  admin.on(listLedger, ({ cursor }) => ({
    ...(cursor === undefined ? { items: [entry], next_cursor: 'a' } : { items: [older], next_cursor: null }),
    online_since: null,
  }));
  const { headers, body } = await admin.call(`GET /accounts/${account_id}/ledger.csv`);
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="ledger-${account_id}.csv"`,
  });
  const about = 'charge,-2,lot-1,charge-1,request-1,search,key-1,posted';
  expect(body).toBe(
    'id,at,type,credits,lot_id,charge_id,request_id,operation,key_id,state,reference,reason\r\n' +
      `7,${at},${about},,\r\n6,${at},${about},ticket 7,"slow, twice"\r\n`,
  );
  const payloads = admin.received.map(({ payload }) => payload);
  expect(payloads).toEqual([
    { account_id, limit: 200 },
    { account_id, limit: 200, cursor: 'a' },
  ]);
});
