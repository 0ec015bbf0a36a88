import { randomUUID } from 'node:crypto';
import { type ChargeReply } from '@app/contracts';
import { OverdueChargesStep } from './overdue-charges.step.js';
import { times, useAuditedLedger } from '../ledger.fixture.js';

const ledger = useAuditedLedger();

describe('many charges at once', () => {
  it('on one credit, from two replicas: exactly one succeeds', async () => {
    const customer = await ledger.customer(1);
    const replies = await Promise.all(times(200, (n) => customer.charge(ledger.replica(n), 1)));
    expect(replies.filter(({ reply }) => reply.outcome === 'charged')).toHaveLength(1);
    expect(replies.filter(({ reply }) => reply.outcome === 'insufficient_credits')).toHaveLength(199);
    expect(await ledger.balance(customer.accountId)).toBe(0);
  });

  it('on 137 credits: 137 of 400 succeed and each balance is reported once', async () => {
    const customer = await ledger.customer(137);
    const replies = await Promise.all(times(400, (n) => customer.charge(ledger.replica(n), 1)));
    const balances = replies.flatMap(({ reply }) =>
      reply.outcome === 'charged' ? reply.credits_remaining : [],
    );
    expect(balances.sort((a, b) => a - b)).toEqual(times(137, (n) => n));
  });

  it('of many accounts from two replicas, with settlements and sweeps among them, never deadlock', async () => {
    const customers = await Promise.all(times(20, () => ledger.customer(50)));
    const startAt = Date.now();
    await ledger.factory.setClock(new Date(startAt));
    const ids = times(1_000, () => randomUUID());
    const customerOf = (n: number) => customers[(n * 7) % 20] ?? customers[0];
    const sweep = ledger.get(OverdueChargesStep);
    await Promise.all([
      ...ids.map((id, n) => customerOf(n)?.charge(ledger.replica(n), 1, id)),
      ...ids.map((id, n) =>
        customerOf(n)?.settle(ledger.replica(n + 1), id, n % 3 === 0 ? 'voided' : 'posted'),
      ),
      ...times(5, () => sweep.run(100)),
      ledger.factory.setClock(new Date(startAt + 31_000)),
    ]);
    const [sums] = await ledger.query<{ held: number; posted: number }>(
      `SELECT (SELECT sum(remaining) FROM lots)::integer AS held,
         (SELECT COALESCE(sum(credits), 0) FROM charges WHERE state IN ('pending', 'posted'))::integer AS posted`,
    );
    expect((sums?.held ?? 0) + (sums?.posted ?? 0)).toBe(20 * 50);
  });

  it('share a few transactions: those that wait are committed together', async () => {
    const customer = await ledger.customer(1_000);
    await Promise.all(times(500, () => customer.charge(ledger.replica(0), 1)));
    const [row] = await ledger.query<{ transactions: number }>(
      'SELECT count(DISTINCT xmin::text)::integer AS transactions FROM charges WHERE account_id = $1',
      [customer.accountId],
    );
    expect(row?.transactions).toBeLessThanOrEqual(3);
  });
});

describe('a revoked key', () => {
  it('is not charged once its revocation has committed, however many calls are in progress', async () => {
    const customer = await ledger.customer(100_000);
    let revoked = false;
    const callsAfter: ChargeReply['outcome'][] = [];
    const load = times(8, async (n) => {
      for (let call = 0; call < 25; call++) {
        const sentAfter = revoked;
        const { reply } = await customer.charge(ledger.replica(n), 1);
        if (sentAfter) callsAfter.push(reply.outcome);
      }
    });
    await customer.charge(ledger.replica(0), 1);
    await ledger.factory.switchOff(customer.keyId);
    revoked = true;
    await Promise.all(load);
    expect(callsAfter.length).toBeGreaterThan(0);
    expect(new Set(callsAfter)).toEqual(new Set(['key_revoked']));
  });
});
