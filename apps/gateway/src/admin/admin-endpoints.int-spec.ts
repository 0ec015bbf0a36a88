import {
  acceptOrder,
  adjust,
  auditLedger,
  createAccount,
  createKey,
  deleteCreator,
  deleteKey,
  endAgreement,
  forgetIdentities,
  getAccount,
  getCreator,
  getKey,
  getOrderReview,
  getUsage,
  type LedgerEntryView,
  listAccounts,
  listKeys,
  listLedger,
  listOrderReviews,
  listPacks,
  publishCreator,
  purchase,
  putCreator,
  refundOrder,
  resolveOrder,
  resumeAccount,
  retryPaymentEvents,
  rotateKey,
  startAgreement,
  suspendAccount,
  updateKey,
} from '#contracts';
import { AdminFixture } from './admin.fixture.js';
import {
  account_id,
  at,
  email,
  accountView,
  keyView,
  lot,
  enterprise,
  agreement,
  goodwill,
  correction,
  adjustment,
  record,
  creator,
  order,
} from './answers.fixture.js';
import { anId, endpoint } from './endpoint.fixture.js';

const admin = AdminFixture.forTests();

const endpoints = [
  endpoint('POST /accounts', createAccount, {
    body: { name: '  Acme ', email },
    asks: { account_id: anId, name: 'Acme', email, idempotency_key: anId },
    answer: { created: true, account: accountView },
    status: 201,
    shows: accountView,
  }),
  endpoint('GET /accounts', listAccounts, {
    asks: { limit: 50 },
    answer: { items: [accountView], next_cursor: null },
    shows: { accounts: [accountView], next_cursor: null },
  }),
  endpoint('GET /accounts?limit=200&cursor=abc', listAccounts, {
    asks: { limit: 200, cursor: 'abc' },
    answer: { items: [], next_cursor: 'def' },
    shows: { accounts: [], next_cursor: 'def' },
  }),
  endpoint('GET /accounts/:account_id', getAccount, { answer: { ...accountView, lots: [lot] } }),
  endpoint(`GET /accounts/${account_id.toUpperCase()}`, getAccount, {
    asks: { account_id },
    answer: { ...accountView, lots: [lot] },
  }),
  endpoint('POST /accounts/:account_id/suspend', suspendAccount, {
    body: { reason: 'resells credits' },
    answer: { ...accountView, suspended_at: at, suspension_reason: 'resells credits' },
  }),
  endpoint('POST /accounts/:account_id/resume', resumeAccount, { answer: accountView }),
  endpoint('POST /accounts/:account_id/keys', createKey, {
    body: { name: 'tool' },
    asks: {
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
  endpoint('GET /accounts/:account_id/keys', listKeys, { answer: { keys: [keyView] } }),
  endpoint('GET /accounts/:account_id/keys/:key_id', getKey, { answer: keyView }),
  endpoint('PATCH /accounts/:account_id/keys/:key_id', updateKey, {
    body: { active: false },
    answer: keyView,
  }),
  endpoint('PATCH /accounts/:account_id/keys/:key_id', updateKey, { body: { name: 'new' }, answer: keyView }),
  ...[{}, { overlap_hours: 0 }].map((body) =>
    endpoint('POST /accounts/:account_id/keys/:key_id/rotate', rotateKey, {
      body,
      asks: {
        overlap_hours: 24,
        ...body,
        rotation_id: anId,
        idempotency_key: anId,
        key_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        prefix: expect.stringMatching(/^csk_.{6}$/) as string,
      },
      answer: keyView,
      shows: { ...keyView, key: expect.stringMatching(/^csk_.{38}$/) as string },
    }),
  ),
  ...[{ expires_at: at }, { expires_at: null }, { monthly_limit: 1 }, { monthly_limit: null }].map((body) =>
    endpoint('PATCH /accounts/:account_id/keys/:key_id', updateKey, {
      body,
      answer: { ...keyView, ...body },
    }),
  ),
  endpoint('DELETE /accounts/:account_id/keys/:key_id', deleteKey, { answer: { deleted: true } }),

  endpoint('GET /packs', listPacks, { answer: { packs: [] } }),
  endpoint('POST /accounts/:account_id/purchases', purchase, {
    body: { pack: 'trial', reference: 'r' },
    answer: { created: true, lot },
    status: 201,
    shows: lot,
  }),
  endpoint('POST /accounts/:account_id/purchases', purchase, {
    body: { pack: 'enterprise', reference: 'r', ...enterprise, purchased_at: at },
    answer: { created: false, lot },
    shows: lot,
  }),
  endpoint('POST /accounts/:account_id/agreement', startAgreement, {
    body: { ...enterprise, starts_at: '2026-01-31T12:00+01:00' },
    answer: agreement,
    status: 201,
  }),
  endpoint('DELETE /accounts/:account_id/agreement', endAgreement, { answer: agreement }),
  endpoint('POST /accounts/:account_id/adjustments', adjust, {
    body: goodwill,
    answer: { created: true, adjustment, credits_remaining: 55 },
    status: 201,
    shows: { ...adjustment, credits_remaining: 55 },
  }),
  endpoint('POST /accounts/:account_id/adjustments', adjust, {
    body: correction,
    answer: { created: false, adjustment: { ...adjustment, lot: null }, credits_remaining: 45 },
    shows: { ...adjustment, lot: null, credits_remaining: 45 },
  }),

  endpoint('GET /accounts/:account_id/ledger?limit=1', listLedger, {
    asks: { limit: 1 },
    answer: { items: [], next_cursor: null, online_since: null },
    shows: { entries: [], next_cursor: null, online_since: null },
  }),
  endpoint('GET /accounts/:account_id/usage?from=2026-01-01&to=2026-01-31', getUsage, {
    asks: { from: '2026-01-01', to: '2026-01-31' },
    answer: { from: '2026-01-01', to: '2026-01-31', usage: [] },
  }),
  endpoint('GET /ledger/audit', auditLedger, {
    answer: { ok: false, accounts: 1, lots: 1, entries: 1, discrepancies: [] },
  }),

  ...[
    { query: '', asks: { limit: 50 } },
    { query: '?attention=false', asks: { attention: false, limit: 50 } },
    {
      query: `?attention=true&account_id=${account_id.toUpperCase()}&limit=10&cursor=abc`,
      asks: { attention: true, account_id, limit: 10, cursor: 'abc' },
    },
  ].map(({ query, asks }) =>
    endpoint(`GET /orders${query}`, listOrderReviews, {
      asks,
      answer: { items: [order], next_cursor: 'def' },
      shows: { orders: [order], next_cursor: 'def' },
    }),
  ),
  endpoint('GET /orders/:order_id', getOrderReview, { answer: order }),
  endpoint('POST /orders/:order_id/resolve', resolveOrder, {
    body: { resolution: 'granted' },
    answer: order,
  }),
  endpoint('POST /orders/:order_id/resolve', resolveOrder, {
    body: { resolution: 'refunded' },
    answer: order,
  }),
  endpoint('POST /orders/:order_id/refund', refundOrder, { body: {}, answer: order }),
  endpoint('POST /orders/:order_id/refund', refundOrder, { body: { reason: 'fraudulent' }, answer: order }),
  endpoint('POST /orders/:order_id/accept', acceptOrder, { answer: order }),
  endpoint('POST /orders/:order_id/accept', acceptOrder, { body: {}, answer: order }),
  endpoint('POST /payment-events/retry', retryPaymentEvents, { answer: { retried: 2 } }),

  endpoint('POST /people/unlink', forgetIdentities, {
    body: { email: ` ${email} ` },
    asks: { email },
    answer: { forgotten: 1 },
  }),

  endpoint('GET /creators/:slug', getCreator, { answer: creator }),
  endpoint('PUT /creators/:slug', putCreator, {
    body: record,
    asks: { record },
    answer: { created: true, creator },
    status: 201,
    shows: creator,
  }),
  endpoint('PUT /creators/import', putCreator, {
    body: { ...record, published: true },
    asks: { slug: 'import', record: { ...record, published: true } },
    answer: { created: false, creator },
    shows: creator,
  }),
  endpoint('PATCH /creators/:slug', publishCreator, { body: { published: false }, answer: creator }),
  endpoint('DELETE /creators/:slug', deleteCreator, { answer: { deleted: true } }),
];

describe('every endpoint asks its service and shows the answer', () => {
  it.each(endpoints)('$call $body', async ({ call, body, message, asks, answer, status, shows }) => {
    admin.on(message, () => answer);
    const reply = await admin.call(call, body);
    expect(reply).toMatchObject({ status, body: shows });
    expect(admin.received).toEqual([{ pattern: message.pattern, payload: asks }]);
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': expect.stringMatching(/^application\/json/) as string,
      'x-request-id': expect.stringMatching(/./) as string,
    });
  });
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
  const older = {
    ...entry,
    id: '6',
    type: 'adjustment',
    reference: 'ticket 7',
    reason: 'slow, twice',
  } as const;
  admin.on(listLedger, ({ cursor }) => ({
    ...(cursor === undefined ? { items: [entry], next_cursor: 'a' } : { items: [older], next_cursor: null }),
    online_since: null,
  }));
  const { status, headers, body } = await admin.call(`GET /accounts/${account_id}/ledger.csv`);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="ledger-${account_id}.csv"`,
  });
  const about = 'lot-1,charge-1,request-1,search,key-1,posted';
  expect(body).toBe(
    [
      'id,at,type,credits,lot_id,charge_id,request_id,operation,key_id,state,reference,reason',
      `7,${at},charge,-2,${about},,`,
      `6,${at},adjustment,-2,${about},ticket 7,"slow, twice"`,
      '',
    ].join('\r\n'),
  );
  const payloads = [
    { account_id, limit: 200 },
    { account_id, limit: 200, cursor: 'a' },
  ];
  expect(admin.received).toEqual(payloads.map((payload) => ({ pattern: listLedger.pattern, payload })));
});
