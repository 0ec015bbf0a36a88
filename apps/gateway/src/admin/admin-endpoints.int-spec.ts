import {
  adjust,
  auditLedger,
  createAccount,
  createKey,
  deleteKey,
  endAgreement,
  getAccount,
  getCreator,
  getKey,
  getUsage,
  listAccounts,
  listKeys,
  listLedger,
  listPacks,
  publishCreator,
  purchase,
  putCreator,
  deleteCreator,
  startAgreement,
  updateKey,
  type MessageContract,
} from '@app/contracts';
import { AdminFixture } from './admin.fixture.js';

const account = '0198c0de-0000-7000-8000-000000000001';
const key = '0198c0de-0000-7000-8000-000000000002';
const at = '2026-01-31T12:00:00.000Z';
const accountView = { id: account, name: 'Acme', email: 'a@b.example', created_at: at, credits_remaining: 0 };
const keyView = {
  id: key,
  name: 'tool',
  prefix: 'csk_abcdef',
  active: true,
  created_at: at,
  last_used_at: null,
  created_by: null,
};
const lot = {
  id: key,
  pack: 'trial',
  credits: 50,
  remaining: 50,
  price_cents: 1_900,
  purchased_at: at,
  expires_at: '2026-03-02T12:00:00.000Z',
  reference: 'payment 42',
} as const;
const agreement = {
  id: key,
  credits: 10_000,
  price_cents: 180_000,
  starts_at: at,
  next_due_at: null,
  ended_at: null,
};
const adjustment = { id: key, credits: 5, reason: 'sorry', reference: 'r', at, lot };
const creator = {
  slug: 'ada',
  name: 'Ada',
  url: 'https://site.example/creators/ada',
  tagline: '',
  country: 'Norway',
  languages: [],
  verified: false,
  categories: [],
  published: true,
  total_reach: 0,
  platforms: [],
};

const record = { name: 'Ada', country: 'Norway', languages: [], categories: ['art'], platforms: [] };

/** One that the gateway makes for the request. */
const anId = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}$/) as string;

let admin: AdminFixture;

beforeAll(async () => (admin = await AdminFixture.start()));
beforeEach(() => admin.reset());
afterAll(() => admin.stop());

interface Endpoint<Request, Answer> {
  readonly call: string;
  readonly body?: object;
  readonly contract: MessageContract<Request, Answer>;
  /** What the service is asked. */
  readonly asks: object;
  readonly answer: Answer;
  readonly status?: number;
  /** The body of the reply, when it is not the answer itself. */
  readonly shows?: object;
}

const endpoint = <Request, Answer>(is: Endpoint<Request, Answer>): Endpoint<unknown, unknown> => is;

const endpoints = [
  endpoint({
    call: 'POST /accounts',
    body: { name: '  Acme ', email: 'a@b.example' },
    contract: createAccount,
    asks: { account_id: anId, name: 'Acme', email: 'a@b.example', idempotency_key: anId },
    answer: { created: true, account: accountView },
    status: 201,
    shows: accountView,
  }),
  endpoint({
    call: 'GET /accounts',
    contract: listAccounts,
    asks: { limit: 50 },
    answer: { items: [accountView], next_cursor: null },
    shows: { accounts: [accountView], next_cursor: null },
  }),
  endpoint({
    call: 'GET /accounts?limit=200&cursor=abc',
    contract: listAccounts,
    asks: { limit: 200, cursor: 'abc' },
    answer: { items: [], next_cursor: 'def' },
    shows: { accounts: [], next_cursor: 'def' },
  }),
  endpoint({
    call: `GET /accounts/${account.toUpperCase()}`,
    contract: getAccount,
    asks: { account_id: account },
    answer: { ...accountView, lots: [lot] },
  }),
  endpoint({
    call: `POST /accounts/${account}/keys`,
    body: { name: 'tool' },
    contract: createKey,
    asks: {
      account_id: account,
      key_id: anId,
      name: 'tool',
      idempotency_key: anId,
      key_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      prefix: expect.stringMatching(/^csk_.{6}$/) as string,
    },
    answer: { created: true, key: keyView },
    status: 201,
    shows: { ...keyView, key: expect.stringMatching(/^csk_.{38}$/) as string },
  }),
  endpoint({
    call: `GET /accounts/${account}/keys`,
    contract: listKeys,
    asks: { account_id: account },
    answer: { keys: [keyView] },
  }),
  endpoint({
    call: `GET /accounts/${account}/keys/${key}`,
    contract: getKey,
    asks: { account_id: account, key_id: key },
    answer: keyView,
  }),
  endpoint({
    call: `PATCH /accounts/${account}/keys/${key}`,
    body: { active: false },
    contract: updateKey,
    asks: { account_id: account, key_id: key, active: false },
    answer: keyView,
  }),
  endpoint({
    call: `DELETE /accounts/${account}/keys/${key}`,
    contract: deleteKey,
    asks: { account_id: account, key_id: key },
    answer: { deleted: true },
  }),
  endpoint({
    call: `POST /accounts/${account}/purchases`,
    body: { pack: 'trial', reference: 'r' },
    contract: purchase,
    asks: { account_id: account, pack: 'trial', reference: 'r' },
    answer: { created: true, lot },
    status: 201,
    shows: lot,
  }),
  endpoint({
    call: `POST /accounts/${account}/purchases`,
    body: { pack: 'enterprise', reference: 'r', credits: 10_000, price_cents: 180_000, purchased_at: at },
    contract: purchase,
    asks: {
      account_id: account,
      pack: 'enterprise',
      reference: 'r',
      credits: 10_000,
      price_cents: 180_000,
      purchased_at: at,
    },
    answer: { created: false, lot },
    status: 200,
    shows: lot,
  }),
  endpoint({
    call: `POST /accounts/${account}/agreement`,
    body: { credits: 10_000, price_cents: 180_000, starts_at: '2026-01-31T12:00+01:00' },
    contract: startAgreement,
    asks: {
      account_id: account,
      credits: 10_000,
      price_cents: 180_000,
      starts_at: '2026-01-31T12:00+01:00',
    },
    answer: agreement,
    status: 201,
  }),
  endpoint({
    call: `DELETE /accounts/${account}/agreement`,
    contract: endAgreement,
    asks: { account_id: account },
    answer: agreement,
  }),
  endpoint({
    call: `POST /accounts/${account}/adjustments`,
    body: { credits: 5, reason: 'sorry', reference: 'r' },
    contract: adjust,
    asks: { account_id: account, credits: 5, reason: 'sorry', reference: 'r' },
    answer: { created: true, adjustment, credits_remaining: 55 },
    status: 201,
    shows: { ...adjustment, credits_remaining: 55 },
  }),
  endpoint({
    call: `POST /accounts/${account}/adjustments`,
    body: { credits: -5, reason: 'sorry', reference: 'r' },
    contract: adjust,
    asks: { account_id: account, credits: -5, reason: 'sorry', reference: 'r' },
    answer: { created: false, adjustment: { ...adjustment, lot: null }, credits_remaining: 45 },
    status: 200,
    shows: { ...adjustment, lot: null, credits_remaining: 45 },
  }),
  endpoint({
    call: `GET /accounts/${account}/ledger?limit=1`,
    contract: listLedger,
    asks: { account_id: account, limit: 1 },
    answer: { items: [], next_cursor: null },
    shows: { entries: [], next_cursor: null },
  }),
  endpoint({
    call: `GET /accounts/${account}/usage?from=2026-01-01&to=2026-01-31`,
    contract: getUsage,
    asks: { account_id: account, from: '2026-01-01', to: '2026-01-31' },
    answer: { from: '2026-01-01', to: '2026-01-31', usage: [] },
  }),
  endpoint({
    call: 'GET /ledger/audit',
    contract: auditLedger,
    asks: {},
    answer: { ok: false, accounts: 1, lots: 1, entries: 1, discrepancies: [] },
  }),
  endpoint({ call: 'GET /packs', contract: listPacks, asks: {}, answer: { packs: [] } }),
  endpoint({ call: 'GET /creators/ada', contract: getCreator, asks: { slug: 'ada' }, answer: creator }),
  endpoint({
    call: 'PUT /creators/ada',
    body: record,
    contract: putCreator,
    asks: { slug: 'ada', record },
    answer: { created: true, creator },
    status: 201,
    shows: creator,
  }),
  endpoint({
    call: 'PUT /creators/import',
    body: { ...record, published: true },
    contract: putCreator,
    asks: { slug: 'import', record: { ...record, published: true } },
    answer: { created: false, creator },
    shows: creator,
  }),
  endpoint({
    call: 'PATCH /creators/ada',
    body: { published: false },
    contract: publishCreator,
    asks: { slug: 'ada', published: false },
    answer: creator,
  }),
  endpoint({
    call: 'DELETE /creators/ada',
    contract: deleteCreator,
    asks: { slug: 'ada' },
    answer: { deleted: true },
  }),
];

function send(call: string, body?: unknown): ReturnType<AdminFixture['send']> {
  const [method = '', path = ''] = call.split(' ');
  return body === undefined ? admin.send(method, path) : admin.sendJson(method, path, body);
}

describe('every endpoint asks its service and shows the answer', () => {
  it.each(endpoints)('$call', async ({ call, body, contract, asks, answer, status = 200, shows }) => {
    admin.on(contract, () => answer);
    const reply = await send(call, body);
    expect(reply).toMatchObject({ status, body: shows ?? answer });
    expect(admin.received).toEqual([{ pattern: contract.pattern, payload: asks }]);
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': expect.stringMatching(/^application\/json/) as string,
      'x-request-id': expect.stringMatching(/./) as string,
    });
  });
});
