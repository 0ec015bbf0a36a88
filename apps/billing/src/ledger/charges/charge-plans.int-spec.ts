import { randomUUID } from 'node:crypto';
import { marks } from '../histories/commands.fixture.js';
import { useAuditedLedger } from '../ledger.fixture.js';
import { freeEachDay, paidForOneMore } from '../rules/abandoned-calls.js';
import { daysSql } from './abandoned-days.js';
import { repeatableSql } from './charge.repository.js';

const ledger = useAuditedLedger();

interface PlanNode {
  readonly [name: string]: unknown;
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** How PostgreSQL ran the statement with these values, and with a plan for all values. */
async function plansOf(sql: string, values: string): Promise<PlanNode[][]> {
  const runner = ledger.dataSource.createQueryRunner();
  try {
    const plans = [];
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      const name = `plan_${randomUUID().replaceAll('-', '')}`;
      await runner.query(`SET plan_cache_mode = ${mode}`);
      await runner.query(`PREPARE ${name} AS ${sql}`);
      const rows = (await runner.query(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE ${name} (${values})`)) as {
        'QUERY PLAN': { Plan: PlanNode }[];
      }[];
      plans.push(nodesOf(rows[0]?.['QUERY PLAN'][0]?.Plan ?? {}));
    }
    return plans;
  } finally {
    await runner.query('RESET plan_cache_mode');
    await runner.release();
  }
}

/** The nodes that have read from the months. */
function scansOfMonths(nodes: readonly PlanNode[]): PlanNode[] {
  return nodes.filter(
    (node) => /^charges_(before|\d)/.test(String(node['Relation Name'])) && node['Actual Loops'] !== 0,
  );
}

it('the paid call is found by its index, among old ones under its Idempotency-Key, many given up and many under others', async () => {
  const customer = await ledger.customer(10);
  const call = {
    ...customer.request(3),
    ...marks(customer.keyId, { idempotencyKey: 'order 1', content: 'a search' }),
  };
  const { charge_id, idempotency_key_hash, fingerprint } = call;
  await ledger.replica(0).charge(call);
  await customer.settle(ledger.replica(1), charge_id, 'posted');
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
    [customer.accountId, customer.keyId, idempotency_key_hash, fingerprint],
  );
  await ledger.query('ANALYZE charges');
  for (const plan of await plansOf(repeatableSql, `'{${idempotency_key_hash}}'`)) {
    const scan = plan.find((node) =>
      /^charges_before_.*_idempotency_key_hash_created_at_idx$/.test(String(node['Index Name'])),
    );
    expect(scan).toMatchObject({ 'Actual Rows': 1, 'Actual Loops': 1 });
    expect(scan?.['Index Cond']).toContain('created_at >');
    expect(scan?.['Rows Removed by Filter'] ?? 0).toBe(0);
    expect(scansOfMonths(plan)).not.toContainEqual(expect.objectContaining({ 'Node Type': 'Seq Scan' }));
  }
});

it('the paid calls of a day are counted no further than they decide, by the index of the month', async () => {
  const startAt = Date.UTC(2026, 0, 10);
  await ledger.factory.setClock(new Date(startAt));
  const customer = await ledger.customer(10_000);
  const { accountId, keyId } = customer;
  await ledger.query(
    `WITH paid AS (
       INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, credits_remaining, created_at,
         pending_until, settled_at)
       SELECT gen_random_uuid(), $1, $2, 'request', 'search', 1, 'posted', 0, at, at, at
       FROM generate_series(1, 3000) AS number, LATERAL (SELECT ledger_now() + number * interval '1 second' AS at) AS clock
       RETURNING id, account_id, created_at
     )
     INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, created_at)
     SELECT paid.account_id, lots.id, 'charge', -1, paid.id, paid.created_at
     FROM paid JOIN lots ON lots.account_id = paid.account_id ORDER BY paid.created_at`,
    [accountId, keyId],
  );
  await ledger.factory.setClock(new Date(startAt + 3_600_000));
  await ledger.query(
    `INSERT INTO abandoned_calls (account_id, day, free, paid, paid_until)
     SELECT $1, (now AT TIME ZONE 'UTC')::date, $2, 0, date_trunc('day', now, 'UTC') FROM ledger_now() AS now`,
    [accountId, freeEachDay],
  );
  await ledger.query('ANALYZE charges');
  for (const plan of await plansOf(daysSql, `'{${accountId}}', '{1}'`)) {
    const scans = scansOfMonths(plan);
    expect(scans).toMatchObject([{ 'Actual Rows': paidForOneMore + 1, 'Actual Loops': 1 }]);
    expect(scans[0]?.['Index Name']).toMatch(/account/);
  }
});
