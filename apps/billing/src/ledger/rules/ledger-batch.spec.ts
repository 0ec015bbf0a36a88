import { type ChargeRequest } from '#contracts';
import { LedgerBatch } from './ledger-batch.js';
import { type LedgerState, type StoredCharge } from './ledger-state.js';
import { idempotencyOf } from './repeatable-charges.js';

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

const settlement = (outcome: 'posted' | 'voided', account_id = 'one') =>
  ({ charge_id: 'charge', account_id, outcome }) as const;
const inUse = { code: 'conflict', message: 'This charge id is already in use.' };

describe('a charge id', () => {
  it.each<Partial<ChargeRequest>>([
    { account_id: 'two' },
    { key_id: 'key of two' },
    { operation: 'profile' },
    { credits: 4 },
  ])('that was stored for another call is refused: %j', (changes) => {
    const batch = batchOn({ charges: charges(stored) });
    expect(() => batch.charge({ ...request, ...changes })).toThrow(expect.objectContaining(inUse) as Error);
    expect(batch.charge(request)).toMatchObject({ outcome: 'charged', credits_remaining: 7 });
  });

  it('that was voided before its charge came takes nothing, and only for the account that voided it', () => {
    expect(batchOn({ tombstones: new Map([['charge', 'one']]) }).charge(request)).toEqual({
      outcome: 'voided',
    });
    const batch = batchOn({ tombstones: new Map([['charge', 'two']]) });
    expect(() => batch.charge(request)).toThrow(expect.objectContaining(inUse) as Error);
  });
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

  it('keeps what its price comes from: the filters, and how many creators matched', () => {
    const batch = batchOn();
    batch.charge({ ...request, filters: ['q', 'platform'], total: 0 });
    batch.charge({ ...request, charge_id: 'profile', operation: 'profile', credits: 1 });
    expect(batch.writes().newCharges).toMatchObject([
      { id: 'charge', filters: 'q,platform', total: 0 },
      { id: 'profile', filters: null, total: null },
    ]);
  });

  it('is settled only once it is no longer pending', () => {
    const batch = batchOn();
    batch.charge(request);
    batch.charge({ ...request, charge_id: 'too much', credits: 8 });
    expect(batch.writes().newCharges).toMatchObject([
      { id: 'charge', state: 'pending', settledAt: null },
      { id: 'too much', state: 'refused', settledAt: now },
    ]);
  });

  it('is written once: as a new one when it was settled in the batch that created it, else as a settled one', () => {
    const other = { ...stored, id: 'other' };
    const batch = batchOn({ charges: charges(other, { ...stored, id: 'untouched' }) });
    batch.charge(request);
    batch.settle(settlement('posted'));
    batch.settle({ ...settlement('posted'), charge_id: 'other' });
    const { newCharges, settledCharges } = batch.writes();
    expect([newCharges, settledCharges].map((some) => some.map(({ id }) => id))).toEqual([
      ['charge'],
      ['other'],
    ]);
  });
});

describe('a settlement', () => {
  it("of another account's charge changes nothing", () => {
    const batch = batchOn({ accountIds: new Set(['one', 'two']), charges: charges(stored) });
    expect(batch.settle(settlement('voided', 'two'))).toBe('unknown_charge');
    expect(batch.settle(settlement('posted', 'two'))).toBe('unknown_charge');
    expect(batch.writes()).toMatchObject({ settledCharges: [], entries: [], tombstones: [] });
  });

  it.each([
    ['an account that does not exist', { accountIds: new Set<string>() }],
    ["a charge that another account's tombstone names", { tombstones: new Map([['charge', 'two']]) }],
  ])('that voids for %s leaves no tombstone', (_what, state) => {
    const batch = batchOn(state);
    expect(batch.settle(settlement('voided'))).toBe('unknown_charge');
    expect(batch.writes().tombstones).toEqual([]);
  });
});

describe('overdue charges', () => {
  const overdue = (id: string, ms: number, accountId = 'one'): StoredCharge => ({
    ...stored,
    id,
    accountId,
    pendingUntil: before(ms),
  });

  it('are voided oldest first, up to the given number, and only those of locked accounts', () => {
    const all = [
      overdue('oldest', 9),
      overdue('youngest', 1),
      overdue('stranger', 20, 'two'),
      overdue('old', 5),
    ];
    const batch = batchOn({ charges: charges(...all) });
    expect(batch.voidOverdue(2)).toBe(2);
    expect(batch.writes().settledCharges).toMatchObject([
      { id: 'oldest', state: 'voided', voidReason: 'timed_out', settledAt: now },
      { id: 'old', state: 'voided', voidReason: 'timed_out', settledAt: now },
    ]);
  });
});

describe('a call that repeats a paid one under its Idempotency-Key', () => {
  const idempotency = { keyHash: 'hash of the Idempotency-Key', fingerprint: 'fingerprint' };
  const marked = { idempotency_key_hash: idempotency.keyHash, fingerprint: idempotency.fingerprint };
  const first: ChargeRequest = { ...request, ...marked };
  const again: ChargeRequest = { ...first, charge_id: 'again' };
  const paid: StoredCharge = { ...stored, state: 'posted', settledAt: before(900), idempotency };

  it('is stored as free, and names the charge that was paid', () => {
    const batch = batchOn({ charges: charges(paid) });
    const reply = batch.charge(again);
    expect(reply).toEqual({ outcome: 'charged', credits_used: 0, credits_remaining: 10, is_repeat: true });
    expect(batch.charge({ ...again, credits: 100 })).toEqual(reply);
    const free = { id: 'again', state: 'posted', credits: 0, settledAt: now, repeatOf: 'charge' };
    expect(batch.writes()).toMatchObject({
      newCharges: [{ ...free, idempotency: null, fromLots: [] }],
      entries: [],
      settledCharges: [],
    });
    expect(() => batch.charge({ ...again, operation: 'profile' })).toThrow(/already in use/);
  });

  it.each([
    ['earlier_call_pending', { ...paid, state: 'pending', settledAt: null }, again],
    ['idempotency_key_reused', paid, { ...again, fingerprint: 'of another call' }],
  ] as const)('is stored with its price when it is refused: %s', (refusal, known, call) => {
    const batch = batchOn({ charges: charges(known) });
    expect(batch.charge(call)).toEqual({ outcome: refusal });
    expect(batch.writes()).toMatchObject({
      newCharges: [{ id: 'again', state: 'refused', refusal, credits: 3, repeatOf: null }],
      entries: [],
    });
  });

  it('is charged when it is of another API key, and refused when it is of another account', () => {
    const keys = new Map(
      ['key of one', 'second key of one'].map((id) => [id, { accountId: 'one', active: true }]),
    );
    const batch = batchOn({ charges: charges(paid), keys });
    expect(batch.charge({ ...again, account_id: 'two' })).toEqual({ outcome: 'key_revoked' });
    expect(batch.charge({ ...again, key_id: 'second key of one' })).toMatchObject({ credits_used: 3 });
  });

  it.each(['fingerprint', 'idempotency_key_hash'] as const)(
    'has both marks: with %s only it has none',
    (name) => {
      expect(idempotencyOf({ ...request, [name]: marked[name] })).toBeNull();
      expect(idempotencyOf(first)).toEqual(idempotency);
    },
  );
});
