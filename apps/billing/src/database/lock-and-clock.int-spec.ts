import { BillingFactory } from '@app/testing';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';

const ledger = useAuditedLedger();

/** Resolves once a session of this database waits for a lock, or `isOver` shows that the work did not wait. */
async function someoneWaitsUnless(isOver: () => boolean = () => false): Promise<void> {
  const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while (!isOver() && (await ledger.query(waiting)).length === 0);
}

/** The server's real time, which nothing in a test database changes. */
async function serverTime(): Promise<number> {
  const [row] = await ledger.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  return row?.at.getTime() ?? 0;
}

/** Creates accounts with these ids, stored in this order. */
async function accounts(...ids: string[]): Promise<void> {
  for (const id of ids) {
    await ledger.query(
      `INSERT INTO accounts (id, name, email, created_at) VALUES ($1, 'An account', 'a@example.com', ledger_now())`,
      [id],
    );
  }
}

describe('an account that another transaction has locked', () => {
  it('is locked by the next one only afterwards, which then sees what was written', async () => {
    const accountId = await ledger.factory.account();
    let found: number | undefined;
    let second: Promise<void> = Promise.resolve();
    await ledger.transactions.run([accountId], async ({ query }) => {
      second = ledger.transactions.run([accountId], async (locked) => {
        found = (await locked.query('read keys', 'SELECT id FROM api_keys')).length;
      });
      await someoneWaitsUnless(() => found !== undefined);
      expect(found).toBeUndefined();
      await new BillingFactory((sql, parameters) => query('insert', sql, parameters)).key(accountId);
    });
    await second;
    expect(found).toBe(1);
  });

  it('comes with the instant at which the lock was acquired, also by the real clock', async () => {
    const accountId = await ledger.factory.account();
    let second: Promise<Date> = Promise.resolve(new Date(0));
    let heldUntil = 0;
    await ledger.transactions.run([accountId], async () => {
      second = ledger.transactions.run([accountId], ({ now }) => Promise.resolve(now));
      await someoneWaitsUnless();
      const waitingSince = await serverTime();
      do heldUntil = await serverTime();
      while (heldUntil === waitingSince);
    });
    expect((await second).getTime()).toBeGreaterThanOrEqual(heldUntil);
  });

  it('is waited for before any account with a higher id is locked, whatever the order of rows and arguments', async () => {
    const low = '00000000-0000-4000-8000-000000000001';
    const high = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
    await accounts(high, low);
    let both: Promise<void> = Promise.resolve();
    let isHad = false;
    await ledger.transactions.run([low], async () => {
      both = ledger.transactions.run([high, low], () => {
        isHad = true;
        return Promise.resolve();
      });
      await someoneWaitsUnless(() => isHad);
      const free = await ledger.query('SELECT id FROM accounts WHERE id = $1 FOR UPDATE SKIP LOCKED', [high]);
      expect(free).toHaveLength(1);
    });
    await both;
  });
});
