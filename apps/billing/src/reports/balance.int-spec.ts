import { randomUUID } from 'node:crypto';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { BalanceController } from './balance.controller.js';

const start = new Date('2026-03-01T12:00:00.000Z');
const dayMs = 24 * 3_600_000;
const later = (ms: number): Date => new Date(start.getTime() + ms);

describe('a balance', () => {
  const ledger = useAuditedLedger();
  const balance = (account_id: string) => ledger.get(BalanceController).show({ account_id });

  it('is what the unexpired lots hold, shown in the order in which they are spent', async () => {
    await ledger.factory.setClock(start);
    const { accountId } = await ledger.customer(0);
    const lot = (credits: number, at: number) =>
      ledger.factory.lot({ accountId, credits, purchasedAt: later(at) });
    await lot(5, 0);
    await lot(7, -29 * dayMs);
    await lot(100, -30 * dayMs);
    const shown = await balance(accountId);
    expect(shown).toMatchObject({
      credits_remaining: 12,
      lots: [
        { credits: 7, remaining: 7, expires_at: later(dayMs).toISOString() },
        { credits: 5, remaining: 5, purchased_at: start.toISOString() },
      ],
    });
    expect(Object.keys(shown.lots[0] ?? {})).toEqual([
      'pack',
      'credits',
      'remaining',
      'purchased_at',
      'expires_at',
    ]);
  });

  it('equals the balance after the last charge, counts pending credits as taken, and timed-out ones as returned', async () => {
    await ledger.factory.setClock(start);
    const customer = await ledger.customer(10);
    const { reply } = await customer.charge(ledger.replica(0), 4);
    expect(reply).toMatchObject({ credits_remaining: 6 });
    expect((await balance(customer.accountId)).credits_remaining).toBe(6);
    await ledger.factory.setClock(later(30_000));
    expect((await balance(customer.accountId)).credits_remaining).toBe(10);
  });

  it('of an account that does not exist is 0', async () => {
    expect(await balance(randomUUID())).toEqual({ credits_remaining: 0, lots: [] });
  });
});
