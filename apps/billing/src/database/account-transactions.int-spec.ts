import { TransactionRunner } from '@app/platform/database';
import { DataSource } from 'typeorm';
import { Account } from '../accounts/account.entity.js';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { AccountTransactions } from './account-transactions.js';
import { billingDataSourceOptions } from './data-source.js';

const ledger = useAuditedLedger();
const startAt = Date.now();

/** Resolves once a session of this database waits for a lock. */
async function someoneWaits(): Promise<void> {
  const waiting = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await ledger.query(waiting)).length === 0);
}

describe('locked accounts', () => {
  it('come with an instant read after the lock was acquired, not before', async () => {
    await ledger.factory.setClock(new Date(startAt));
    const { accountId } = await ledger.customer(1);
    let second: Promise<Date> = Promise.reject(new Error('not asked yet'));
    second.catch(() => undefined);
    await ledger.transactions.run([accountId], async () => {
      second = ledger.transactions.run([accountId], ({ now }) => Promise.resolve(now));
      await someoneWaits();
      await ledger.factory.setClock(new Date(startAt + 5_000));
    });
    expect(await second).toEqual(new Date(startAt + 5_000));
  });

  it('are the existing ones of those requested, each once', async () => {
    const { accountId } = await ledger.customer(0);
    const unknown = '00000000-0000-4000-8000-000000000000';
    const found = await ledger.transactions.run([accountId, unknown, accountId], ({ accountIds }) =>
      Promise.resolve([...accountIds]),
    );
    expect(found).toEqual([accountId]);
  });

  it('that another transaction has locked are skipped and named, with skipBusy', async () => {
    const [held, free] = [(await ledger.customer(0)).accountId, (await ledger.customer(0)).accountId];
    const all = [held, free, '00000000-0000-4000-8000-000000000000'];
    const skipBusy = (query: string[]) =>
      ledger.transactions.run(
        query,
        ({ accountIds, busyIds }) => Promise.resolve([[...accountIds], [...busyIds]]),
        { skipBusy: true },
      );
    const found = await ledger.transactions.run([held], () => skipBusy(all));
    expect(found).toEqual([[free], [held]]);
    expect(await skipBusy([held])).toEqual([[held], []]);
  });

  it('are waited for no longer than lockTimeoutMs', async () => {
    const { accountId } = await ledger.customer(0);
    const again = () =>
      ledger.transactions.run([accountId], ({ query }) => query('show lock timeout', 'SHOW lock_timeout'), {
        lockTimeoutMs: 10,
      });
    await expect(ledger.transactions.run([accountId], again)).rejects.toMatchObject({
      code: '55P03',
    });
    expect(await again()).toEqual([{ lock_timeout: '10ms' }]);
    expect(await ledger.query('SHOW lock_timeout')).toEqual([{ lock_timeout: '1s' }]);
  });

  it('are unchanged when the work fails', async () => {
    const { accountId } = await ledger.customer(0);
    const failing = ledger.ownerTransactions.run([accountId], async ({ query }) => {
      await query('rename', `UPDATE accounts SET name = 'changed' WHERE id = $1`, [accountId]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await ledger.query(`SELECT id FROM accounts WHERE name = 'changed'`)).toEqual([]);
  });

  it('are unchanged when work that saved with TypeORM fails: it opens no transaction of its own', async () => {
    const { accountId } = await ledger.customer(0);
    const failing = ledger.ownerTransactions.run([accountId], async ({ manager, now }) => {
      await manager.save(Account, {
        id: accountId,
        name: 'saved',
        email: 'saved@example.com',
        createdAt: now,
      });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await ledger.query(`SELECT id FROM accounts WHERE name = 'saved'`)).toEqual([]);
  });

  it('are unchanged when a statement that was sent with the commit fails, also by the other statements', async () => {
    const { accountId } = await ledger.customer(0);
    const rename = (name: string | null) => ({
      name: 'rename' as const,
      sql: 'UPDATE accounts SET name = $2 WHERE id = $1',
      parameters: [accountId, name],
    });
    const committed = jest.fn();
    const failing = ledger.ownerTransactions.run([accountId], ({ withCommit, onCommit }) => {
      withCommit([rename('before'), rename(null), rename('after')]);
      onCommit(committed);
      return Promise.resolve();
    });
    await expect(failing).rejects.toThrow('null value');
    expect(committed).not.toHaveBeenCalled();
    expect(await ledger.query(`SELECT name FROM accounts WHERE name IN ('before', 'after')`)).toEqual([]);
  });

  it('are read after the lock, as the transaction that held it has left them', async () => {
    const { accountId } = await ledger.customer(0);
    const nameOf = 'SELECT name FROM accounts WHERE id = $1';
    let second: Promise<unknown> = Promise.reject(new Error('not asked yet'));
    second.catch(() => undefined);
    await ledger.ownerTransactions.run([accountId], async ({ query }) => {
      second = ledger.transactions.runReading([accountId], {
        read: ({ query: read }) => read('read name', nameOf, [accountId]),
        apply: (_, names) => names,
      });
      await someoneWaits();
      await query('rename', `UPDATE accounts SET name = 'left' WHERE id = $1`, [accountId]);
    });
    expect(await second).toEqual([{ name: 'left' }]);
  });

  it.each([
    { prepareStatements: true, kept: 1 },
    { prepareStatements: false, kept: 0 },
  ])(
    'are locked with prepared statements when the connections allow that: $prepareStatements',
    async ({ prepareStatements, kept }) => {
      const { accountId } = await ledger.customer(0);
      const own = new DataSource(
        billingDataSourceOptions({ url: ledger.url, poolSize: 1, prepareStatements }),
      );
      await own.initialize();
      const transactions = new AccountTransactions(new TransactionRunner(own));
      const preparedNow = `SELECT name FROM pg_prepared_statements WHERE statement LIKE '%FOR NO KEY UPDATE%'`;
      const inTwo = [1, 2].map(() =>
        transactions.run([accountId], ({ query }) => query<{ name: string }>('read prepared', preparedNow)),
      );
      const found = await Promise.all(inTwo);
      await own.destroy();
      expect(found.map((rows) => rows.length)).toEqual([kept, kept]);
    },
  );
});
