import { randomUUID } from 'node:crypto';
import { type ChargeReply, type ChargeRequest } from '#contracts';
import { marks } from '../histories/commands.fixture.js';
import { moveClock } from '../histories/play-on-postgres.fixture.js';
import { type Customer, times, useAuditedLedger } from '../ledger.fixture.js';
import { repeatableMs } from '../rules/repeatable-charges.js';
import { repeatableSql } from '../charges/charge.repository.js';

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

  it('is charged when it comes with another API key of the account, or of another account', async () => {
    const [customer, stranger] = [await ledger.customer(10), await ledger.customer(10)];
    await paidCall(customer);
    const keyId = await ledger.factory.key(customer.accountId, 2);
    expect(await ledger.replica(0).charge(callOf(customer, { key_id: keyId }))).toMatchObject(paid);
    expect(await ledger.replica(0).charge(callOf(stranger))).toMatchObject(paid);
    const withStrangersKey = callOf(stranger, { key_id: customer.keyId });
    expect(await ledger.replica(0).charge(withStrangersKey)).toEqual({ outcome: 'key_revoked' });
    expect(await ledger.balance(customer.accountId)).toBe(4);
    expect(await ledger.balance(stranger.accountId)).toBe(7);
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

  it('are paid once although each is given up or posted as it is answered', async () => {
    const customer = await ledger.customer(1_000);
    const ends: string[] = [];
    const callUntilAnswered = async (client: number): Promise<void> => {
      for (let attempt = 0; ; attempt++) {
        const call = callOf(customer);
        const reply = await ledger.replica(client + attempt).charge(call);
        if (reply.outcome !== 'charged') continue;
        if (reply.is_repeat) return;
        // Every third answer reaches its client.
        const outcome = ends.length % 3 === 2 ? 'posted' : 'voided';
        ends.push(outcome);
        await customer.settle(ledger.replica(client), call.charge_id, outcome);
      }
    };
    await Promise.all(times(5, callUntilAnswered));
    expect(ends).toEqual(['voided', 'voided', 'posted']);
    expect(await ledger.balance(customer.accountId)).toBe(997);
  });
});

describe('a charge of an older billing, which knows no Idempotency-Key', () => {
  it('is settled and read as any other, and never makes another one free', async () => {
    const customer = await ledger.customer(10);
    const { accountId, keyId } = customer;
    const id = randomUUID();
    await ledger.query(
      `INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, refusal, void_reason,
         credits_remaining, created_at, pending_until, settled_at)
       SELECT $1, $2, $3, 'request', 'search', 3, 'pending', NULL, NULL, 7, now, now + interval '30 seconds', NULL
       FROM ledger_now() AS now`,
      [id, accountId, keyId],
    );
    await ledger.query(
      `INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
       SELECT $1, id, 'charge', -3, $2, ledger_now() FROM lots WHERE account_id = $1`,
      [accountId, id],
    );
    const call = callOf(customer, { charge_id: id });
    expect(await ledger.replica(0).charge(call)).toEqual({ ...paid, credits_remaining: 7 });
    expect(await ledger.replica(0).charge(callOf(customer))).toEqual({ ...paid, credits_remaining: 4 });
    expect(await customer.settle(ledger.replica(1), id, 'posted')).toBe('posted');
  });
});

it('the paid call is found by its index, among old ones under its Idempotency-Key, many given up and many under others', async () => {
  const customer = await ledger.customer(10);
  const call = await paidCall(customer);
  await ledger.query(
    `INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, void_reason, credits_remaining,
       created_at, pending_until, settled_at, idempotency_key_hash, fingerprint)
     SELECT gen_random_uuid(), $1, $2, 'request', 'search', 0, state, CASE WHEN state = 'voided' THEN 'given_up' END, 0,
       now - age, now - age, now, hash, $4
     FROM ledger_now() AS now, generate_series(1, 3000) AS number,
       LATERAL (VALUES
         ('posted', $3, number * interval '17 minutes'),
         ('voided', $3, interval '0'),
         ('posted', md5(number::text), interval '0')
       ) AS kinds (state, hash, age)`,
    [customer.accountId, customer.keyId, call.idempotency_key_hash, call.fingerprint],
  );
  await ledger.query('ANALYZE charges');
  const plans = await Promise.all(
    ['force_custom_plan', 'force_generic_plan'].map((mode) => planOf(mode, call)),
  );
  for (const plan of plans) {
    const scan = nodesOf(plan).find((node) =>
      /^charges_before_.*_idempotency_key_hash_created_at_idx$/.test(String(node['Index Name'])),
    );
    expect(scan).toMatchObject({ 'Actual Rows': 1, 'Actual Loops': 1 });
    expect(scan?.['Index Cond']).toContain('created_at >');
    expect(scan?.['Rows Removed by Filter'] ?? 0).toBe(0);
    const relations = nodesOf(plan).flatMap((node) =>
      node['Node Type'] === 'Seq Scan' && node['Actual Loops'] !== 0 ? [node['Relation Name']] : [],
    );
    expect(relations).not.toContainEqual(expect.stringMatching(/^charges_(before|\d)/));
  }
});

interface PlanNode {
  readonly [name: string]: unknown;
  readonly Plans?: readonly PlanNode[];
}

/** How PostgreSQL ran the statement for this call. */
async function planOf(mode: string, call: ChargeRequest): Promise<PlanNode> {
  const name = `repeatable_${randomUUID().replaceAll('-', '')}`;
  const runner = ledger.dataSource.createQueryRunner();
  try {
    await runner.query(`SET plan_cache_mode = ${mode}`);
    await runner.query(`PREPARE ${name} AS ${repeatableSql}`);
    const rows = (await runner.query(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE ${name} ('{${call.idempotency_key_hash}}')`,
    )) as { 'QUERY PLAN': { Plan: PlanNode }[] }[];
    return rows[0]?.['QUERY PLAN'][0]?.Plan ?? {};
  } finally {
    await runner.query(`RESET plan_cache_mode`);
    await runner.release();
  }
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
