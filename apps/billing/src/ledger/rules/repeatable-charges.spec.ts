import { type ChargeRequest } from '@app/contracts';
import { batchOn, before, charges, now, request, stored } from './ledger-batch.fixture.js';
import { type LedgerState, type StoredCharge } from './ledger-state.js';
import { idempotencyOf, RepeatableCharges, repeatableMs } from './repeatable-charges.js';

const idempotency = { keyHash: 'hash of the Idempotency-Key', fingerprint: 'fingerprint' };
const marked = { idempotency_key_hash: idempotency.keyHash, fingerprint: idempotency.fingerprint };
const first: ChargeRequest = { ...request, ...marked };
const again: ChargeRequest = { ...first, charge_id: 'again' };
const paid: StoredCharge = { ...stored, state: 'posted', settledAt: before(900), idempotency };

/** What a batch that knows these charges answers to a call that repeats one of them. */
function answerTo(call: ChargeRequest, known: readonly StoredCharge[], state: Partial<LedgerState> = {}) {
  const batch = batchOn({ charges: charges(...known), ...state });
  return { reply: batch.charge(call), writes: batch.writes() };
}

describe('a call that repeats a paid one under its Idempotency-Key', () => {
  it('is answered for nothing, with the balance of now, and names the charge that was paid', () => {
    const { reply, writes } = answerTo(again, [paid]);
    expect(reply).toEqual({ outcome: 'charged', credits_used: 0, credits_remaining: 10, is_repeat: true });
    expect(writes).toMatchObject({
      newCharges: [
        {
          id: 'again',
          state: 'posted',
          credits: 0,
          settledAt: now,
          repeatOf: 'charge',
          idempotency: null,
          fromLots: [],
        },
      ],
      entries: [],
      settledCharges: [],
    });
  });

  it('needs no credits', () => {
    const { reply } = answerTo(again, [paid], { lots: new Map() });
    expect(reply).toMatchObject({ outcome: 'charged', credits_used: 0, credits_remaining: 0 });
  });

  it('costs nothing although its price has changed, up or down to nothing', () => {
    for (const credits of [0, 1, 100]) {
      expect(answerTo({ ...again, credits }, [paid]).reply).toMatchObject({
        credits_used: 0,
        is_repeat: true,
      });
    }
  });

  it('takes nothing while it is not decided whether that one is paid', () => {
    const { reply, writes } = answerTo(again, [{ ...paid, state: 'pending', settledAt: null }]);
    expect(reply).toEqual({ outcome: 'earlier_call_pending' });
    expect(writes).toMatchObject({
      newCharges: [
        { id: 'again', state: 'refused', refusal: 'earlier_call_pending', credits: 3, repeatOf: null },
      ],
      entries: [],
    });
  });

  it('is charged like a first one when that one was voided, and then remembered itself', () => {
    const { reply, writes } = answerTo(again, [{ ...paid, state: 'voided', voidReason: 'given_up' }]);
    expect(reply).toEqual({ outcome: 'charged', credits_used: 3, credits_remaining: 7 });
    expect(writes.newCharges).toMatchObject([{ id: 'again', state: 'pending', idempotency, repeatOf: null }]);
  });

  it('is charged like a first one when the credits of that one are overdue', () => {
    const overdue: StoredCharge = { ...paid, state: 'pending', settledAt: null, pendingUntil: now };
    const batch = batchOn({ charges: charges(overdue) });
    batch.voidOverdue();
    expect(batch.charge(again)).toMatchObject({ outcome: 'charged', credits_used: 3 });
  });

  it('of another account is refused as a stranger', () => {
    expect(answerTo({ ...again, account_id: 'two' }, [paid]).reply).toEqual({ outcome: 'key_revoked' });
  });

  it('with a key that is switched off is refused, whatever was paid', () => {
    const keys = new Map([['key of one', { accountId: 'one', active: false }]]);
    expect(answerTo(again, [paid], { keys }).reply).toEqual({ outcome: 'key_revoked' });
  });

  it('takes nothing when it was voided before it came', () => {
    const tombstones = new Map([['again', 'one']]);
    const { reply, writes } = answerTo(again, [paid], { tombstones });
    expect([reply, writes.newCharges]).toEqual([{ outcome: 'voided' }, []]);
  });

  it.each([
    ['posted', 'posted'],
    ['voided', 'voided'],
  ] as const)('took nothing, so that it can be %s', (outcome, result) => {
    const repetition = {
      ...paid,
      id: 'again',
      credits: 0,
      repeatOf: 'charge',
      idempotency: null,
      fromLots: [],
    };
    const batch = batchOn({ charges: charges(paid, repetition) });
    expect(batch.settle({ charge_id: 'again', account_id: 'one', outcome })).toBe(result);
    expect(batch.writes()).toMatchObject({ settledCharges: [], entries: [] });
  });

  it('gets the same answer when its message comes again, whatever its price was', () => {
    const batch = batchOn({ charges: charges(paid) });
    const reply = batch.charge(again);
    expect(batch.charge(again)).toEqual(reply);
    expect(batch.writes().newCharges).toHaveLength(1);
    expect(() => batch.charge({ ...again, operation: 'profile' })).toThrow(/already in use/);
  });
});

describe('another call under the Idempotency-Key of a paid one', () => {
  it.each([
    ['posted', paid],
    ['pending', { ...paid, state: 'pending', settledAt: null }],
  ] as const)('is refused while that one is %s', (_state, known) => {
    const { reply, writes } = answerTo({ ...again, fingerprint: 'of another call' }, [known]);
    expect(reply).toEqual({ outcome: 'idempotency_key_reused' });
    expect(writes).toMatchObject({
      newCharges: [{ state: 'refused', refusal: 'idempotency_key_reused', credits: 3, repeatOf: null }],
      entries: [],
    });
  });

  it('is charged when that one was voided', () => {
    const { reply } = answerTo({ ...again, fingerprint: 'of another call' }, [
      { ...paid, state: 'voided', voidReason: 'given_up' },
    ]);
    expect(reply).toMatchObject({ outcome: 'charged', credits_used: 3 });
  });
});

describe('a call that is not a repetition', () => {
  it.each<[string, Partial<ChargeRequest>]>([
    ['with another Idempotency-Key', { idempotency_key_hash: 'another hash' }],
    ['with the same Idempotency-Key, of another API key', { key_id: 'second key of one' }],
  ])('is paid %s', (_how, changes) => {
    const keys = new Map(
      ['key of one', 'second key of one'].map((id) => [id, { accountId: 'one', active: true }]),
    );
    const { reply } = answerTo({ ...again, ...changes }, [paid], { keys });
    expect(reply).toMatchObject({ outcome: 'charged', credits_used: 3 });
  });

  it('is paid without an Idempotency-Key, and not remembered', () => {
    const { reply, writes } = answerTo({ ...request, charge_id: 'again' }, [paid]);
    expect(reply).toMatchObject({ credits_used: 3 });
    expect(writes.newCharges).toMatchObject([{ idempotency: null, repeatOf: null }]);
  });

  it.each(['fingerprint', 'idempotency_key_hash'] as const)('has both marks: %s alone is none', (name) => {
    expect(idempotencyOf({ ...request, [name]: marked[name] })).toBeNull();
    expect(idempotencyOf(first)).toEqual(idempotency);
  });
});

describe('of the calls of one batch under one Idempotency-Key', () => {
  const call = (charge_id: string): ChargeRequest => ({ ...first, charge_id });
  const settlement = (charge_id: string, outcome: 'posted' | 'voided') =>
    ({ charge_id, account_id: 'one', outcome }) as const;

  it('the first is paid, the others wait for it and then repeat it', () => {
    const batch = batchOn();
    expect(batch.charge(call('1'))).toMatchObject({ credits_used: 3 });
    expect(batch.charge(call('2'))).toEqual({ outcome: 'earlier_call_pending' });
    batch.settle(settlement('1', 'posted'));
    expect(batch.charge(call('3'))).toMatchObject({ credits_used: 0, is_repeat: true });
    expect(batch.charge(call('4'))).toMatchObject({ credits_used: 0, is_repeat: true });
    expect(batch.writes().newCharges.map(({ id, repeatOf }) => [id, repeatOf])).toEqual([
      ['1', null],
      ['2', null],
      ['3', '1'],
      ['4', '1'],
    ]);
  });

  it('the second is paid when the first was voided, and the third repeats it', () => {
    const batch = batchOn();
    batch.charge(call('1'));
    batch.settle(settlement('1', 'voided'));
    expect(batch.charge(call('2'))).toMatchObject({ credits_used: 3 });
    batch.settle(settlement('2', 'posted'));
    batch.settle(settlement('1', 'voided'));
    expect(batch.charge(call('3'))).toMatchObject({ credits_used: 0 });
  });

  it.each([
    ['costs nothing', { credits: 0 }],
    ['costs more than there is', { credits: 11 }],
  ])('one that %s is not remembered', (_what, changes) => {
    const batch = batchOn();
    batch.charge({ ...call('1'), ...changes });
    expect(batch.writes().newCharges).toMatchObject([{ id: '1', idempotency: null }]);
    expect(batch.charge(call('2'))).toMatchObject({ outcome: 'charged', credits_used: 3 });
  });
});

describe('the time for which a paid call can be repeated', () => {
  const found = (...known: StoredCharge[]): string | undefined => {
    const repeatable = new RepeatableCharges();
    for (const charge of known) repeatable.keep(charge);
    return repeatable.find(first, now)?.id;
  };

  it('is 15 minutes from its charge on, to the millisecond', () => {
    expect(repeatableMs).toBe(900_000);
    expect(found({ ...paid, createdAt: before(899_999) })).toBe('charge');
    expect(found({ ...paid, createdAt: before(900_000) })).toBeUndefined();
  });

  it('is not prolonged by a repetition', () => {
    const repetition = { ...paid, id: 'again', credits: 0, repeatOf: 'charge', idempotency: null };
    expect(found({ ...paid, createdAt: before(900_000) }, repetition)).toBeUndefined();
  });

  it('goes on where the clock was put back', () => {
    expect(found({ ...paid, createdAt: before(-1_000) })).toBe('charge');
  });

  it('counts from the younger of two, in whatever order they were read', () => {
    const younger = { ...paid, id: 'younger', createdAt: before(10) };
    expect([found(paid, younger), found(younger, paid)]).toEqual(['younger', 'younger']);
    expect(found(paid, younger, { ...younger, state: 'voided' })).toBeUndefined();
    expect(found(paid, { ...younger, state: 'voided' })).toBe('charge');
  });
});
