import { type ChargeRequest } from '#contracts';
import { LedgerBatch } from './ledger-batch.js';
import { type LedgerState, type StoredCharge } from './ledger-state.js';

/** The instant of every batch. */
const now = new Date('2026-01-31T12:00:00.000Z');
const pendingTimeoutMs = 30_000;
const before = (ms: number): Date => new Date(now.getTime() - ms);
const lot = {
  id: 'lot',
  purchasedAt: before(1_000),
  expiresAt: new Date(now.getTime() + 1),
  remaining: 10,
};

/** A batch that holds account `one`, with a lot of 10 credits and a key; `two` is another account. */
function batchOn(state: Partial<LedgerState> = {}): LedgerBatch {
  const known: LedgerState = {
    now,
    accountIds: new Set(['one']),
    lots: new Map([['one', [lot]]]),
    keys: new Map(['one', 'two'].map((accountId) => [`key of ${accountId}`, { accountId, active: true }])),
    charges: new Map(),
    tombstones: new Map(),
    abandoned: new Map(),
  };
  return new LedgerBatch({ ...known, ...state }, pendingTimeoutMs);
}

/** A search of 3 credits. */
const request: ChargeRequest = {
  charge_id: 'charge',
  account_id: 'one',
  key_id: 'key of one',
  key_hash: 'hash',
  request_id: 'request',
  operation: 'search',
  credits: 3,
};

/** What it is stored as. */
const stored: StoredCharge = {
  id: 'charge',
  accountId: 'one',
  keyId: 'key of one',
  requestId: 'request',
  operation: 'search',
  credits: 3,
  state: 'pending',
  refusal: null,
  voidReason: null,
  isAbandoned: false,
  creditsRemaining: 7,
  createdAt: before(1_000),
  pendingUntil: new Date(now.getTime() + 1),
  settledAt: null,
  filters: null,
  total: null,
  idempotency: null,
  repeatOf: null,
  repeats: 0,
  keyHasLimit: false,
  fromLots: [{ lotId: 'lot', credits: 3 }],
};
const charges = (...all: StoredCharge[]) => new Map(all.map((charge) => [charge.id, charge]));

it.each<Partial<ChargeRequest>>([
  { account_id: 'two' },
  { key_id: 'key of two' },
  { operation: 'profile' },
  { credits: 4 },
])('a charge id that was stored for another call is refused: %j', (changes) => {
  const batch = batchOn({ charges: charges(stored) });
  expect(() => batch.charge({ ...request, ...changes })).toThrow('This charge id is already in use.');
  expect(batch.charge(request)).toMatchObject({ outcome: 'charged', credits_remaining: 7 });
});

describe('a charge', () => {
  it.each<[string, Partial<ChargeRequest>, Partial<LedgerState>]>([
    ['a key that is not known', { key_id: 'no key' }, {}],
    ["another account's key", { key_id: 'key of two' }, {}],
    ['an account that does not exist', {}, { accountIds: new Set() }],
  ])('with %s takes nothing and is not stored', (_what, changes, state) => {
    const batch = batchOn(state);
    expect(batch.charge({ ...request, ...changes })).toEqual({ outcome: 'key_revoked' });
    expect(Object.values(batch.writes()).flat()).toEqual([]);
  });

  it.each([
    [10, 'charged'],
    [11, 'insufficient_credits'],
  ])('of a search without a match, which would cost %d of 10 credits, is %s', (price, outcome) => {
    const search = { ...request, credits: 0, credits_if_matched: price, total: 0 };
    const batch = batchOn();
    expect(batch.charge(search)).toMatchObject({ outcome, credits_remaining: 10 });
    expect(batch.charge(search)).toMatchObject({ outcome, credits_remaining: 10 });
    expect(batch.writes().entries).toEqual([]);
  });
});

it('a void for an account that does not exist leaves no tombstone', () => {
  const batch = batchOn({ accountIds: new Set() });
  expect(batch.settle({ charge_id: 'charge', account_id: 'one', outcome: 'voided' })).toBe('unknown_charge');
  expect(batch.writes().tombstones).toEqual([]);
});

it('overdue charges are voided oldest first, up to the given number, and only those of locked accounts', () => {
  const overdue = (id: string, ms: number, accountId = 'one') => {
    return { ...stored, id, accountId, pendingUntil: before(ms) };
  };
  const all = [
    overdue('oldest', 9),
    overdue('youngest', 1),
    overdue('stranger', 20, 'two'),
    overdue('old', 5),
  ];
  const batch = batchOn({ charges: charges(...all) });
  expect(batch.voidOverdue(2)).toBe(2);
  const voided = { state: 'voided', voidReason: 'timed_out', settledAt: now };
  expect(batch.writes().settledCharges).toMatchObject([
    { id: 'oldest', ...voided },
    { id: 'old', ...voided },
  ]);
});

describe('a call that repeats a paid one under its Idempotency-Key', () => {
  const idempotency = { keyHash: 'hash of the Idempotency-Key', fingerprint: 'fingerprint' };
  const marked = { idempotency_key_hash: idempotency.keyHash, fingerprint: idempotency.fingerprint };
  const first: ChargeRequest = { ...request, ...marked };
  const again: ChargeRequest = { ...first, charge_id: 'again' };
  const paid: StoredCharge = { ...stored, state: 'posted', settledAt: before(900), idempotency };

  it('is free, also when its message comes again with another price', () => {
    const batch = batchOn({ charges: charges(paid) });
    const reply = batch.charge(again);
    expect(reply).toEqual({ outcome: 'charged', credits_used: 0, credits_remaining: 10, is_repeat: true });
    expect(batch.charge({ ...again, credits: 100 })).toEqual(reply);
  });

  it('is charged when it is of another API key, and refused when it is of another account', () => {
    const keys = new Map(
      ['key of one', 'second key of one'].map((id) => [id, { accountId: 'one', active: true }]),
    );
    const batch = batchOn({ charges: charges(paid), keys });
    expect(batch.charge({ ...again, account_id: 'two' })).toEqual({ outcome: 'key_revoked' });
    expect(batch.charge({ ...again, key_id: 'second key of one' })).toMatchObject({ credits_used: 3 });
  });
});
