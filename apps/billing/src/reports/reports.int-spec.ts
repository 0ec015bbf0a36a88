import { auditLedger, authenticateKey, charge, settle } from '#contracts';
import { BillingFactory, Metrics, until } from '#testing';
import { Customer } from '../ledger/ledger.fixture.js';
import { context, runBilling, type RunningBilling } from '../running-billing.fixture.js';

// Reports hold all their connections for seconds.
jest.setTimeout(30_000);

/** Longer than any request waits for a connection. */
const auditSeconds = 3;

let billing: RunningBilling;
let customer: Customer;

beforeEach(async () => {
  // The fewest connections that are allowed: calls and sweeps share them.
  billing = await runBilling({ SWEEP_PERIOD_MS: '100', DATABASE_POOL_SIZE: '2' });
  const factory = new BillingFactory((sql, parameters) => billing.admin.query(sql, parameters));
  const accountId = await factory.account();
  customer = new Customer(accountId, await factory.key(accountId));
  await factory.lot({ accountId, credits: 100_000 });
});

afterEach(() => billing?.close());

/** Every audit takes its time from now on, in the database. */
async function slowAuditsDown(): Promise<void> {
  await billing.admin.query(`
    CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
    BEGIN
      IF current_setting('transaction_isolation') = 'repeatable read' THEN PERFORM pg_sleep(${auditSeconds}); END IF;
      RETURN date_trunc('milliseconds', clock_timestamp());
    END $$`);
}

/** Database statements that only audits run. */
async function auditStatements(): Promise<number> {
  const metrics = await Metrics.of(billing.internalUrl);
  return metrics.sum('database_query_duration_seconds_count', { query: 'begin audit' });
}

/** Calls one after the other, each looked up, charged and settled, until `work` is over; gives how long each took. */
async function callWhile(work: Promise<unknown>): Promise<number[]> {
  const { client } = billing;
  const took: number[] = [];
  let isOver = false;
  work.finally(() => (isOver = true)).catch(() => undefined);
  while (!isOver) {
    const startedAt = performance.now();
    const call = customer.request(2);
    const { key } = await client.request(authenticateKey, call, context);
    expect(key?.account_id).toBe(customer.accountId);
    expect(await client.request(charge, call, context)).toMatchObject({ outcome: 'charged' });
    const settlements = [customer.settlement(call.charge_id, 'posted')];
    const { results } = await client.request(settle, { settlements }, context);
    expect(results).toMatchObject([{ result: 'posted' }]);
    took.push(performance.now() - startedAt);
  }
  return took;
}

describe('calls continue while operators read reports', () => {
  it('audits at once run as one, further ones are refused, and no call waits for them or fails', async () => {
    const { client } = billing;
    // The hourly audit runs when billing starts.
    await until(async () => (await auditStatements()) === 1);
    await client.request(auditLedger, {}, context);
    expect(await auditStatements()).toBe(2);
    await slowAuditsDown();

    // More than the messages that a replica takes at once.
    const audits = Array.from({ length: 150 }, () => client.request(auditLedger, {}, context));
    const outcomes = Promise.allSettled(audits);
    const took = await callWhile(outcomes);
    const replies = (await outcomes).filter((outcome) => outcome.status === 'fulfilled');
    const refused = (await outcomes).filter((outcome) => outcome.status === 'rejected');

    expect(replies.length).toBeGreaterThan(10);
    expect(replies[0]?.value).toMatchObject({ ok: true, accounts: 1 });
    expect(replies).toEqual(Array(replies.length).fill(replies[0]));
    expect(await auditStatements()).toBe(3);
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'unavailable' });
    expect(Math.max(...took)).toBeLessThan(1_000 * auditSeconds);
  });

  it('an audit in progress does not keep a replica from stopping', async () => {
    await slowAuditsDown();
    const audit = billing.client.request(auditLedger, {}, context);
    audit.catch(() => undefined);
    const reading = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    while ((await billing.admin.query<unknown[]>(reading)).length === 0);
    const asked = performance.now();
    await billing.stop();
    expect(performance.now() - asked).toBeLessThan(1_000 * (auditSeconds - 1));
    await expect(audit).rejects.toMatchObject({ code: 'unavailable' });
  });
});
