import { type ChargeReply, type ChargeRequest } from '#contracts';
import { marks } from '../histories/commands.fixture.js';
import { moveClock } from '../histories/play-on-postgres.fixture.js';
import { type Customer, times, useAuditedLedger } from '../ledger.fixture.js';
import { repeatableMs } from '../rules/repeatable-charges.js';

const ledger = useAuditedLedger();
const startAt = Date.UTC(2026, 0, 1);

/** A search of 3 credits under an Idempotency-Key; each one has a charge id of its own. */
function callOf(customer: Customer, changes: Partial<ChargeRequest> = {}): ChargeRequest {
  const { key_id = customer.keyId } = changes;
  return {
    ...customer.request(3),
    ...marks(key_id, { idempotencyKey: 'order 1', content: 'a search' }),
    ...changes,
  };
}

/** A call that was paid and posted. */
async function paidCall(customer: Customer, changes: Partial<ChargeRequest> = {}): Promise<ChargeRequest> {
  const call = callOf(customer, changes);
  expect(await ledger.replica(0).charge(call)).toMatchObject({ outcome: 'charged', credits_used: 3 });
  await customer.settle(ledger.replica(1), call.charge_id, 'posted');
  return call;
}

const paid = { outcome: 'charged', credits_used: 3 };
const repeated = { outcome: 'charged', credits_used: 0, is_repeat: true };

describe('a call under the Idempotency-Key of a paid one', () => {
  it('is found with many others in one batch', async () => {
    const customer = await ledger.customer(1_000);
    const idempotencyKeys = times(50, (n) =>
      marks(customer.keyId, { idempotencyKey: `${n}`, content: 'a search' }),
    );
    for (const one of idempotencyKeys) await paidCall(customer, one);
    const again = times(5, () => idempotencyKeys.map((one) => callOf(customer, one))).flat();
    const replies = await Promise.all(again.map((call) => ledger.replica(0).charge(call)));
    expect(replies).toEqual(times(250, () => ({ ...repeated, credits_remaining: 850 })));
    const sixth = callOf(customer, idempotencyKeys[7]);
    expect(await ledger.replica(1).charge(sixth)).toEqual({ ...paid, credits_remaining: 847 });
  });

  it('is found by the clock of the lock, although the clock goes on while charges are read', async () => {
    await ledger.factory.setClock(new Date(startAt));
    const customer = await ledger.customer(10);
    await paidCall(customer);
    // The clock is read once before that, to find that the call may repeat one.
    await moveClock(ledger, startAt + repeatableMs - 2);
    const [clock] = await ledger.query<{ sql: string }>(
      `SELECT pg_get_functiondef('ledger_now'::regproc) AS sql`,
    );
    await ledger.query('CREATE SEQUENCE test_readings MINVALUE 0 START 0');
    await ledger.query('GRANT USAGE ON test_readings TO PUBLIC');
    await ledger.query(`CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE
      AS 'SELECT at + nextval(''test_readings'') * interval ''1 millisecond'' FROM test_clock'`);
    expect(await ledger.replica(0).charge(callOf(customer))).toMatchObject(repeated);
    await ledger.query(clock?.sql ?? '');
  });
});

describe('many calls at once under one Idempotency-Key, from two replicas', () => {
  const outcomesOf = (replies: readonly ChargeReply[]) => {
    const counts: Record<string, number> = {};
    for (const reply of replies) {
      const name = reply.outcome === 'charged' ? `charged ${reply.credits_used}` : reply.outcome;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  };

  it('are paid once: the others wait until it is posted, and five repeat it then, of which one is sent again', async () => {
    const customer = await ledger.customer(1_000);
    const calls = times(200, () => callOf(customer));
    const replies = await Promise.all(calls.map((call, n) => ledger.replica(n).charge(call)));
    expect(outcomesOf(replies)).toEqual({ 'charged 3': 1, earlier_call_pending: 199 });
    const first = calls[replies.findIndex(({ outcome }) => outcome === 'charged')];
    await customer.settle(ledger.replica(0), first?.charge_id ?? '', 'posted');
    const repetition = callOf(customer);
    expect(await ledger.replica(0).charge(repetition)).toMatchObject(repeated);
    const later = await Promise.all([
      ...times(100, (n) => ledger.replica(n).charge(callOf(customer))),
      ...times(100, (n) => ledger.replica(n).charge(repetition)),
    ]);
    expect(outcomesOf(later.slice(0, 100))).toEqual({
      'charged 0': 4,
      'charged 3': 1,
      earlier_call_pending: 95,
    });
    expect(outcomesOf(later.slice(100))).toEqual({ 'charged 0': 100 });
    expect(await ledger.balance(customer.accountId)).toBe(994);
  });
});
