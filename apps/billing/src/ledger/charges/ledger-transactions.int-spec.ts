import { randomUUID } from 'node:crypto';
import { ChargeRequest, isPayload, SettleRequest, type Settlement } from '#contracts';
import { Customer, times, useAuditedLedger } from '../ledger.fixture.js';

const ledger = useAuditedLedger();
const charged = { reply: { outcome: 'charged' } };

describe('when something is wrong with one of many commands', () => {
  it('the others of its batch are applied', async () => {
    await ledger.query(`ALTER TABLE charges ADD CONSTRAINT poison CHECK (request_id <> 'poison')`);
    const customer = await ledger.customer(10);
    const [service] = ledger.replicas;
    const [first, poison, last] = await Promise.allSettled([
      customer.charge(service, 1),
      service.charge({ ...customer.request(1), request_id: 'poison' }),
      customer.charge(service, 1),
    ]);
    expect(first).toMatchObject({ status: 'fulfilled', value: charged });
    expect(poison.status).toBe('rejected');
    expect(last).toMatchObject({ status: 'fulfilled', value: charged });
    expect(await ledger.balance(customer.accountId)).toBe(8);
    await ledger.query('ALTER TABLE charges DROP CONSTRAINT poison');
  });

  it('settlements that are malformed are acknowledged, and the others are settled', async () => {
    const customer = await ledger.customer(10);
    const { id: charge_id } = await customer.charge(ledger.replicas[0], 3);
    const good = customer.settlement(charge_id, 'posted');
    const malformed = [{ ...good, account_id: 'X' }, { ...good, outcome: 'neither' }, {}, null, [[]]];
    const { results } = await ledger.replicas[0].settle({
      settlements: [...malformed, good] as Settlement[],
    });
    expect(results).toEqual([
      ...[charge_id, charge_id, '', '', ''].map((id) => ({ charge_id: id, result: 'unknown_charge' })),
      { charge_id, result: 'posted' },
    ]);
  });

  it.each([
    { charge_id: 'x' },
    { credits: -1 },
    { credits: 1.5 },
    { credits: 2 ** 31 },
    { request_id: 'a\0b' },
  ])('a charge with %j, which no gateway would send, is refused as a payload', (change) => {
    const request = new Customer(randomUUID(), randomUUID()).request(1);
    expect([request, { ...request, ...change }].map((one) => isPayload(ChargeRequest, one))).toEqual([
      true,
      false,
    ]);
  });

  it('so are more than 500 settlements at once', () => {
    const settlements = times(501, () => ({
      charge_id: randomUUID(),
      account_id: randomUUID(),
      outcome: 'voided',
    }));
    expect(isPayload(SettleRequest, { settlements: settlements.slice(1) })).toBe(true);
    expect(isPayload(SettleRequest, { settlements })).toBe(false);
  });
});

describe('when another transaction has locked an account', () => {
  it('a charge waits for at most one such account, however many there are', async () => {
    const held = await Promise.all(Array.from({ length: 8 }, () => ledger.customer(10)));
    const free = await Promise.all(Array.from({ length: 8 }, () => ledger.customer(10)));
    const [service] = ledger.replicas;
    const answered: string[] = [];
    const heldIds = held.map(({ accountId }) => accountId);
    await ledger.transactions.run(heldIds, async ({ query }) => {
      await query('set', `SET LOCAL idle_in_transaction_session_timeout = '30s'`);
      await Promise.all([
        ...held.map(async (customer) => {
          await expect(customer.charge(service, 1)).rejects.toMatchObject({ code: 'unavailable' });
          answered.push('held');
        }),
        ...free.map((customer) => customer.charge(service, 1).then(() => answered.push('free'))),
      ]);
    });
    expect([...answered].sort()).toEqual([...free.map(() => 'free'), ...held.map(() => 'held')]);
    // The two slow lanes give up at the same time. A charge that had waited for a second locked account would come after more.
    const before = answered.slice(0, answered.lastIndexOf('free')).filter((who) => who === 'held');
    expect(before.length).toBeLessThanOrEqual(2);
  });
});

describe('when transactions collide or connections die', () => {
  it('a transaction that deadlocked is run again', async () => {
    await ledger.query('CREATE SEQUENCE attempts; GRANT USAGE ON SEQUENCE attempts TO PUBLIC');
    await ledger.query(`
      CREATE FUNCTION collide() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('attempts') <= 2 THEN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END IF;
        RETURN NULL;
      END $$`);
    await ledger.query(
      'CREATE TRIGGER collide AFTER INSERT ON charges FOR EACH STATEMENT EXECUTE FUNCTION collide()',
    );
    const customer = await ledger.customer(10);
    expect(await customer.charge(ledger.replicas[0], 1)).toMatchObject(charged);
    expect(await ledger.query('SELECT last_value::integer FROM attempts')).toEqual([{ last_value: 3 }]);
    await ledger.query('DROP FUNCTION collide CASCADE');
  });

  it('every charge is made once or is unavailable, and repeating it shows which', async () => {
    const customer = await ledger.customer(10_000);
    const ids = Array.from({ length: 600 }, () => randomUUID());
    let killed = 0;
    let isCharging = true;
    const killer = async () => {
      while (isCharging && killed < 10) {
        const rows = await ledger.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
        );
        killed += rows.length;
      }
    };
    const load = async (): Promise<void> => {
      for (let at = 0; at < ids.length; at += 60) {
        const calls = ids
          .slice(at, at + 60)
          .map((id, n) => customer.charge(ledger.replicas[n % 2 ? 1 : 0], 1, id));
        for (const result of await Promise.allSettled(calls)) {
          if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'unavailable' });
        }
      }
    };
    await Promise.all([load().finally(() => (isCharging = false)), killer()]);
    expect(killed).toBeGreaterThan(0);
    const repeat = (id: string) => customer.charge(ledger.replicas[0], 1, id);
    const again = await Promise.all(ids.map((id) => repeat(id).catch(() => repeat(id))));
    for (const result of again) expect(result).toMatchObject(charged);
    expect(await ledger.balance(customer.accountId)).toBe(10_000 - 600);
  });
});
