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
      const page = await statements().list(request);
      pages.push(page.items);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return pages;
  }

  it('comes in pages that hold each entry once, with the balance after it, but not for a single type', async () => {
    await ledger.factory.setClock(start);
    const customer = await ledger.customer(7);
    const stranger = await ledger.customer(20);
    await stranger.charge(ledger.replicas[1], 1);
    const { accountId } = customer;
    await customer.charge(ledger.replicas[0], 2);
    await ledger.factory.setClock(new Date(start.getTime() + 1));
    await ledger.factory.lot({ accountId, credits: 50 });
    await customer.charge(ledger.replicas[0], 9);
    await ledger.factory.setClock(new Date(start.getTime() + 30_001));
    await ledger.get(OverdueChargesStep).run(100);
    const shownOf = (entries: readonly StatementEntry[]) =>
      entries.map((entry) => [entry.type, entry.credits, entry.balance_after]);
    const shown = async (limit: number, type?: EntryType) =>
      shownOf((await allPages(accountId, limit, type)).flat());
    const whole = await shown(50);
    let balance = 0;
    for (const [, credits, after] of [...whole].reverse()) {
      balance += Number(credits);
      expect(after).toBe(balance);
    }
    expect([whole.length, balance]).toEqual([8, 57]);
    for (const limit of [1, 3]) expect(await shown(limit)).toEqual(whole);
    for (const type of ['purchase', 'charge', 'reversal'] as const) {
      const ofType = whole.filter(([found]) => found === type);
      expect(await shown(1, type)).toEqual(ofType.map(([, credits]) => [type, credits, null]));
    }
    expect(await shown(50, 'expiry')).toEqual([]);

    // A page is not moved by what is added meanwhile.
    const first = await statements().list({ account_id: accountId, limit: 3 });
    await customer.charge(ledger.replicas[0], 1);
    const cursor = first.next_cursor ?? '';
    const { items } = await statements().list({ account_id: accountId, limit: 5, cursor });
    expect(shownOf([...first.items, ...items])).toEqual(whole);
  });
});

it('a balance equals that after the last charge, counts pending credits as taken, and timed-out ones as returned', async () => {
  await ledger.factory.setClock(start);
  const customer = await ledger.customer(10);
  const left = async () => {
    return (await ledger.get(BalanceController).show({ account_id: customer.accountId })).credits_remaining;
  };
  const { reply } = await customer.charge(ledger.replica(0), 4);
  expect(reply).toMatchObject({ credits_remaining: 6 });
  expect(await left()).toBe(6);
  await ledger.factory.setClock(new Date(start.getTime() + 30_000));
  expect(await left()).toBe(10);
});
