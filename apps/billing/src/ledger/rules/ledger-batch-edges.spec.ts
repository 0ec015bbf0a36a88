import { type ChargeRequest } from '@app/contracts';
import { batchOn, before, charges, lot, now, request, stored } from './ledger-batch.fixture.js';
import { type LedgerState, type StoredCharge } from './ledger-state.js';

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
    expect(batch.writes()).toEqual({ newCharges: [], settledCharges: [], entries: [], tombstones: [] });
  });

  it('of an account without any lot is refused', () => {
    const refused = { outcome: 'insufficient_credits', credits_needed: 3, credits_remaining: 0 };
    expect(batchOn({ lots: new Map() }).charge(request)).toEqual(refused);
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

  it('that voids before the charge leaves one tombstone, however often it comes', () => {
    const batch = batchOn();
    expect([batch.settle(settlement('voided')), batch.settle(settlement('voided'))]).toEqual([
      'voided',
      'voided',
    ]);
    expect(batch.writes().tombstones).toEqual([{ chargeId: 'charge', accountId: 'one' }]);
  });

  it.each([
    ['has expired', new Map([['one', [{ ...lot, id: 'younger' }]]])],
    ['has expired, like all others', new Map<string, never[]>()],
  ])('gives back to a lot that %s, and writes that off', (_what, lots) => {
    const batch = batchOn({ lots, charges: charges(stored) });
    batch.settle(settlement('voided'));
    const entry = { accountId: 'one', lotId: 'lot', chargeId: 'charge' };
    expect(batch.writes().entries).toEqual([
      { ...entry, type: 'reversal', credits: 3 },
      { ...entry, type: 'expiry', credits: -3 },
    ]);
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
