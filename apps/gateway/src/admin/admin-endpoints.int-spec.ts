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
  token_id: '0198c0de-0000-7000-8000-000000000006',
  slug: 'ada',
};
const { account_id } = ids;
const at = '2026-01-31T12:00:00.000Z';
const email = 'a@b.example';

/** Services are scripted, so the gateway passes on whatever they answer. */
const answer = { id: 'of the service' };
const anId = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}$/) as string;
const aHash = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
const secretOf = (start: string) => expect.stringMatching(new RegExp(`^${start}_.{38}$`)) as string;
const prefixOf = (start: string) => expect.stringMatching(new RegExp(`^${start}_.{6}$`)) as string;
const newKey = { idempotency_key: anId, key_hash: aHash, prefix: prefixOf('csk') };
const shownKey = { ...answer, key: secretOf('csk') };

interface Expected {
  readonly body?: object;
  /** What the service receives besides the parameters of the path; default: the body. */
  readonly asks?: object;
  /** Of the service; default: `answer`. */
  readonly answer?: object;
  readonly status?: number;
  /** The body of the reply; default: the answer. */
  readonly shows?: object;
}

type Contracts = typeof contracts;
type ContractName = {
  [Name in keyof Contracts]: Contracts[Name] extends { pattern: string } ? Name : never;
}[keyof Contracts];
type Route = readonly [call: string, message: ContractName, expected?: Expected];

const pageOf = (name: string, asks: object): Expected => ({
  asks,
  answer: { items: [answer], next_cursor: 'def' },
  shows: { [name]: [answer], next_cursor: 'def' },
});
/** What is stored once: 201, and 200 when it was there. */
const stored = (name: string, created: boolean, body: object, asks = body): Expected => ({
  body,
  asks,
  answer: { created, [name]: answer },
  status: created ? 201 : 200,
  shows: answer,
});
const trial = { pack: 'trial', reference: 'r' };
const enterprise = { credits: 10_000, price_cents: 180_000 };
const goodwill = { credits: 5, reason: 'sorry', reference: 'r' };
const record = { name: 'Ada', country: 'Norway', languages: [], categories: ['art'], platforms: [] };
const accounts = [{ platform: 'youtube', handle: '@ada' }];
const erasure = { email_hash: 'a'.repeat(64), erased_at: at, close_accounts: false };
const aKey = '/accounts/:account_id/keys/:key_id';

const routes: readonly Route[] = [
  [
    'POST /accounts',
    'createAccount',
    stored(
      'account',
      true,
      { name: '  Acme ', email },
      { account_id: anId, name: 'Acme', email, idempotency_key: anId },
    ),
  ],
  ['GET /accounts', 'listAccounts', pageOf('accounts', { limit: 50 })],
  ['GET /accounts?limit=200&cursor=abc', 'listAccounts', pageOf('accounts', { limit: 200, cursor: 'abc' })],
  ['GET /accounts/:account_id', 'getAccount'],
  [`GET /accounts/${account_id.toUpperCase()}`, 'getAccount', { asks: { account_id } }],
  ['PATCH /accounts/:account_id', 'updateAccount', { body: { email } }],
  ['POST /accounts/:account_id/suspend', 'suspendAccount', { body: { reason: 'resells credits' } }],
  ['POST /accounts/:account_id/resume', 'resumeAccount'],
  [
    'POST /accounts/:account_id/keys',
    'createKey',
    {
      ...stored('key', true, { name: 'tool' }, { key_id: anId, name: 'tool', ...newKey }),
      shows: shownKey,
    },
  ],
  ['GET /accounts/:account_id/keys', 'listKeys'],
  [`GET ${aKey}`, 'getKey'],
  [`PATCH ${aKey}`, 'updateKey', { body: { active: false, monthly_limit: null } }],
  [`DELETE ${aKey}`, 'deleteKey'],
  ...[{}, { overlap_hours: 0 }].map((body): Route => {
    const asks = { overlap_hours: 24, ...body, rotation_id: anId, ...newKey };
    return [`POST ${aKey}/rotate`, 'rotateKey', { body, asks, shows: shownKey }];
  }),
  ['GET /packs', 'listPacks'],
  ['POST /accounts/:account_id/purchases', 'purchase', stored('lot', true, trial)],
  [
    'POST /accounts/:account_id/purchases',
    'purchase',
    stored('lot', false, { ...trial, pack: 'enterprise', ...enterprise, purchased_at: at }),
  ],
  ['POST /accounts/:account_id/agreement', 'startAgreement', { body: enterprise, status: 201 }],
  ['DELETE /accounts/:account_id/agreement', 'endAgreement'],
  ...[true, false].flatMap((created): Route[] => [
    [
      'POST /accounts/:account_id/adjustments',
      'adjust',
      {
        ...stored('adjustment', created, goodwill),
        answer: { created, adjustment: answer, credits_remaining: 55 },
        shows: { ...answer, credits_remaining: 55 },
      },
    ],
    [
      'POST /accounts/:account_id/lots/:lot_id/refund',
      'refundLot',
      stored('lot', created, { reason: 'by mistake', reference: 'note 7' }),
    ],
    ['PUT /creators/:slug', 'putCreator', stored('creator', created, record, { record })],
  ]),
  [
    'GET /accounts/:account_id/ledger?limit=1',
    'listLedger',
    {
      asks: { limit: 1 },
      answer: { items: [], next_cursor: null, online_since: at },
      shows: { entries: [], next_cursor: null, online_since: at },
    },
  ],
  [
    'GET /accounts/:account_id/usage?from=2026-01-01&to=2026-01-31',
    'getUsage',
    { asks: { from: '2026-01-01', to: '2026-01-31' } },
  ],
  ['GET /ledger/audit', 'auditLedger'],
  ['GET /orders', 'listOrderReviews', pageOf('orders', { limit: 50 })],
  [
    `GET /orders?attention=true&account_id=${account_id.toUpperCase()}&limit=10&cursor=abc`,
    'listOrderReviews',
    pageOf('orders', { attention: true, account_id, limit: 10, cursor: 'abc' }),
  ],
  ['GET /orders/:order_id', 'getOrderReview'],
  ['POST /orders/:order_id/resolve', 'resolveOrder', { body: { resolution: 'granted' } }],
  ['POST /orders/:order_id/refund', 'refundOrder', { body: { reason: 'fraudulent' } }],
  ['POST /orders/:order_id/accept', 'acceptOrder'],
  ['POST /payment-events/retry', 'retryPaymentEvents'],
  [
    'POST /accounts/:account_id/sign-in-link',
    'createSignInLink',
    {
      body: { email },
      asks: { token_hash: aHash, email },
      status: 201,
      shows: { ...answer, url: expect.any(String) as string },
    },
  ],
  ['POST /people/unlink', 'forgetIdentities', { body: { email: ` ${email} ` }, asks: { email } }],
  ['POST /people/report', 'getPersonReport', { body: { email } }],
  ['POST /people/erase', 'erasePerson', { body: { email, close_accounts: true } }],
  [
    `GET /people/erasures?limit=1&cursor=${erasure.email_hash}`,
    'listErasures',
    pageOf('erasures', { limit: 1, cursor: erasure.email_hash }),
  ],
  ['POST /people/erasures/repeat', 'repeatErasure', { body: erasure }],
  ['GET /creators/:slug', 'getCreator'],
  ['PUT /creators/import', 'putCreator', stored('creator', false, record, { slug: 'import', record })],
  ['PATCH /creators/:slug', 'publishCreator', { body: { published: false } }],
  ['DELETE /creators/:slug', 'deleteCreator'],
  ['POST /creators/:slug/remove', 'removeCreator', { body: { reference: 'r' }, status: 201 }],
  ['POST /removals', 'removeCreator', { body: { reference: 'r', note: 'n', accounts }, status: 201 }],
  ['GET /removals?limit=2', 'listRemovals', pageOf('removals', { limit: 2 })],
  ['GET /removals/:removal_id', 'getRemoval'],
  ['DELETE /removals/:removal_id', 'readmitCreator'],
  [
    'POST /tokens',
    'createAdminToken',
    {
      body: { name: 'Eva', role: 'read' },
      asks: { name: 'Eva', role: 'read', token_id: anId, token_hash: aHash, prefix: prefixOf('csa') },
      status: 201,
      shows: { ...answer, token: secretOf('csa') },
    },
  ],
  ['GET /tokens', 'listAdminTokens', { asks: {} }],
  ['DELETE /tokens/:token_id', 'withdrawAdminToken'],
];

const withIds = (call: string) => call.replaceAll(/:(\w+)/g, (_all, name: keyof typeof ids) => ids[name]);

const all = routes.map(([call, name, expected = {}]): Required<Route> => [call, name, expected]);

describe.each(all)('%s', (call, name, expected) => {
  const { body, asks = body ?? {}, answer: given = answer, status = 200, shows = given }: Expected = expected;
  const message = contracts[name] as MessageContract<unknown, unknown>;
  const names = [...call.matchAll(/:(\w+)/g)].map(([, id]) => id as keyof typeof ids);
  const inPath = Object.fromEntries(names.map((id) => [id, ids[id]]));

  it('asks its service and shows the answer', async () => {
    admin.on(message, () => given);
    const reply = await admin.call(withIds(call), body);
    expect(reply).toMatchObject({ status, body: shows });
    expect(admin.received).toEqual([{ pattern: message.pattern, payload: { ...inPath, ...asks } }]);
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': expect.stringMatching(/^application\/json/) as string,
      'x-request-id': expect.stringMatching(/./) as string,
    });
  });

  if (body) {
    it('is a 400 with a field that it does not have', async () => {
      const reply = await admin.call(withIds(call), { ...body, typo: 1 });
      expect(reply).toMatchObject({ status: 400, body: { details: { typo: [expect.any(String)] } } });
      expect(admin.received).toEqual([]);
    });
  }

  if (call.includes(':')) {
    it('is a 404 with a malformed id', async () => {
      const reply = await admin.call(call.replaceAll(/:\w+/g, '5--'), body);
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
  const entry: LedgerEntryView = {
    id: '7',
    at,
    type: 'charge',
    credits: -2,
    lot_id: 'lot-1',
    charge_id: 'charge-1',
    request_id: 'request-1',
    operation: 'search',
    key_id: 'key-1',
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
