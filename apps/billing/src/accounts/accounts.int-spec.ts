import { randomUUID } from 'node:crypto';
import { type AccountView } from '#contracts';
import { v7 as uuidv7 } from 'uuid';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { refusal, refusals } from '../people/people.fixture.js';
import { AccountsService } from './accounts.service.js';

const start = new Date('2026-03-01T12:00:00.000Z');
const lifetimeMs = 30 * 24 * 3_600_000;

const later = (ms: number): Date => new Date(start.getTime() + ms);

describe('accounts', () => {
  const ledger = useAuditedLedger();
  const accounts = (): AccountsService => ledger.get(AccountsService);

  async function open(email = 'a@example.com'): Promise<AccountView> {
    const request = { account_id: uuidv7(), name: 'Acme', email, idempotency_key: randomUUID() };
    return (await accounts().create(request)).account;
  }

  it('of one address are found by it, and a new one names those that are there already', async () => {
    const email = 'same@Example.com';
    const [first, second] = [await open(email), await open('SAME@example.com')];
    expect([first.same_email, second.same_email]).toEqual([undefined, [first.id]]);
    expect(await open('other@example.com')).not.toHaveProperty('same_email');
    // Their owner is one person, however the address is written.
    const owners = `SELECT role, email_folded FROM members JOIN people ON id = person_id WHERE account_id = ANY($1) GROUP BY 1, 2, person_id`;
    expect(await ledger.query(owners, [[first.id, second.id]])).toEqual([
      { role: 'owner', email_folded: 'same@example.com' },
    ]);
    expect(await refusals(open('call +31 20 1234567'), open('ｏps@acme.example'))).toEqual([
      'invalid_request',
    ]);
    const { items } = await accounts().list({ limit: 10, email });
    expect(new Set(items.map(({ id }) => id))).toEqual(new Set([first.id, second.id]));
  });

  it('get another name or address from an operator, which is in the log and changes no member', async () => {
    const { id } = await open();
    const members = () => ledger.query('SELECT person_id, role FROM members WHERE account_id = $1', [id]);
    const before = await members();
    const operator = { id: null, name: 'Eva', requestId: 'request 1' };
    const request = { account_id: id, email: 'Ops@Acme.example' };
    expect(await accounts().update(request, { operator })).toMatchObject({
      name: 'Acme',
      email: 'ops@acme.example',
    });
    expect(await accounts().update({ account_id: id, name: 'Acme Ltd' })).toMatchObject({
      name: 'Acme Ltd',
      email: 'ops@acme.example',
    });
    expect(await members()).toEqual(before);
    expect(await ledger.query('SELECT action, before, after FROM admin_log')).toEqual([
      {
        action: 'account.updated',
        before: { name: 'Acme', email: 'a@example.com' },
        after: { name: 'Acme', email: 'ops@acme.example' },
      },
    ]);
    expect(await refusal(accounts().update({ account_id: randomUUID(), name: 'x' }))).toBe('not_found');
  });

  it('are listed newest first, each on one page, also those of the same instant, and none that is created meanwhile', async () => {
    const created: string[] = [];
    for (const at of [0, 0, 1, 1, 2]) {
      await ledger.factory.setClock(later(at));
      created.unshift((await open()).id);
    }
    const listed: string[] = [];
    let cursor: string | undefined;
    for (const more of [true, true, false]) {
      const page = await accounts().list({ limit: 2, ...(cursor !== undefined && { cursor }) });
      listed.push(...page.items.map(({ id }) => id));
      expect(page.next_cursor !== null).toBe(more);
      cursor = page.next_cursor ?? undefined;
      await open();
    }
    expect(listed).toEqual(created);
  });

  it('show their lots oldest first; an expired one holds nothing, swept or not', async () => {
    await ledger.factory.setClock(start);
    const { accountId } = await ledger.customer(0);
    const lot = (credits: number, at: number): Promise<string> =>
      ledger.factory.lot({ accountId, credits, purchasedAt: later(at) });
    const newest = await lot(1, 0);
    const expired = await lot(100, -lifetimeMs);
    const oldest = await lot(20, 1 - lifetimeMs);
    const shown = await accounts().show({ account_id: accountId });
    expect(shown.lots.map(({ id, credits, remaining }) => [id, credits, remaining])).toEqual([
      [expired, 100, 0],
      [oldest, 20, 20],
      [newest, 1, 1],
    ]);
    expect(shown.credits_remaining).toBe(21);
    expect((await accounts().list({ limit: 1 })).items).toMatchObject([{ credits_remaining: 21 }]);
  });
});
