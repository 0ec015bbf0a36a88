import { type EntryType, type StatementEntry } from '#contracts';
import { BalanceController } from '../balance.controller.js';
import { useAuditedLedger } from '../../ledger/ledger.fixture.js';
import { OverdueChargesStep } from '../../ledger/charges/overdue-charges.js';
import { StatementsService } from './statements.service.js';

const ledger = useAuditedLedger();
const start = new Date('2026-03-01T12:00:00.000Z');

describe('the statement of an account', () => {
  const statements = (): StatementsService => ledger.get(StatementsService);

  /** Every page of it, `limit` entries each. */
  async function allPages(account_id: string, limit: number, type?: EntryType): Promise<StatementEntry[][]> {
    const pages: StatementEntry[][] = [];
    let cursor: string | null | undefined;
    do {
      const request = { account_id, limit, ...(type && { type }), ...(cursor && { cursor }) };
      const page = await statements().listWithBalances(request);
      pages.push(page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return pages;
  }

  it('comes in pages that hold each entry once, whatever is added meanwhile', async () => {
    const customer = await ledger.customer(20);
    const stranger = await ledger.customer(20);
    for (let call = 0; call < 4; call += 1) {
      await customer.charge(ledger.replicas[0], 1);
      await stranger.charge(ledger.replicas[1], 1);
    }
    const [whole = []] = await allPages(customer.accountId, 50);
    expect(whole).toHaveLength(5);
    const pages = await allPages(customer.accountId, 2);
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(pages.flat()).toEqual(whole);

    const request = { account_id: customer.accountId, limit: 2 };
    const first = await statements().list(request);
    await customer.charge(ledger.replicas[0], 1);
    const second = await statements().list({ ...request, cursor: first.next_cursor ?? '' });
    // As operators see them.
    const listed = whole.slice(0, 4).map(({ pack: _pack, balance_after: _balance, ...entry }) => entry);
    expect([...first.items, ...second.items]).toEqual(listed);
  });

  it('shows the balance after each entry, on every page, but not for a single type', async () => {
    await ledger.factory.setClock(start);
    const customer = await ledger.customer(7);
    const { accountId } = customer;
    await customer.charge(ledger.replicas[0], 2);
    await ledger.factory.setClock(new Date(start.getTime() + 1));
    await ledger.factory.lot({ accountId, credits: 50 });
    await customer.charge(ledger.replicas[0], 9);
    await ledger.factory.setClock(new Date(start.getTime() + 30_001));
    await ledger.get(OverdueChargesStep).run(100);
    const shown = async (limit: number, type?: EntryType): Promise<(string | number | null)[][]> => {
      const entries = (await allPages(accountId, limit, type)).flat();
      return entries.map((entry) => [entry.type, entry.credits, entry.balance_after]);
    };
    const whole = await shown(50);
    let balance = 0;
    for (const [, credits, after] of [...whole].reverse()) {
      balance += Number(credits);
      expect(after).toBe(balance);
    }
    expect([whole.length, balance]).toEqual([8, 57]);
    expect(await shown(1)).toEqual(whole);
    for (const type of ['purchase', 'charge', 'reversal'] as const) {
      const ofType = whole.filter(([found]) => found === type);
      expect(await shown(1, type)).toEqual(ofType.map(([, credits]) => [type, credits, null]));
    }
    expect(await shown(50, 'expiry')).toEqual([]);
  });
});

describe('a balance', () => {
  const later = (ms: number): Date => new Date(start.getTime() + ms);
  const balance = (account_id: string) => ledger.get(BalanceController).show({ account_id });

  it('equals the balance after the last charge, counts pending credits as taken, and timed-out ones as returned', async () => {
    await ledger.factory.setClock(start);
    const customer = await ledger.customer(10);
    const { reply } = await customer.charge(ledger.replica(0), 4);
    expect(reply).toMatchObject({ credits_remaining: 6 });
    expect((await balance(customer.accountId)).credits_remaining).toBe(6);
    await ledger.factory.setClock(later(30_000));
    expect((await balance(customer.accountId)).credits_remaining).toBe(10);
  });
});
