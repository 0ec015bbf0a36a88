import { commitInTime, sendAll, TransactionRunner, WatchedClient } from '#platform/database';
import { DataSource } from 'typeorm';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { AccountTransactions } from './account-transactions.js';
import { billingDataSourceOptions } from './data-source.js';

const ledger = useAuditedLedger();
const rename = 'UPDATE accounts SET name = $2 WHERE id = $1';

const names = async (): Promise<string[]> =>
  (await ledger.query<{ name: string }>('SELECT name FROM accounts')).map(({ name }) => name);

/** Resolves once a session waits for a lock, or `isOver` shows that the work did not wait. */
async function lockIsAwaited(isOver: () => boolean = () => false): Promise<void> {
  while (!isOver() && (await ledger.lockWaiters()) === 0);
}

describe('locked accounts', () => {
  it('are unchanged when a statement that was sent with the commit fails, also by the other statements', async () => {
    const { accountId } = await ledger.customer(0);
    const renamed = (name: string | null) => ({
      name: 'rename' as const,
      sql: rename,
      parameters: [accountId, name],
    });
    const committed = jest.fn();
    const failing = ledger.ownerTransactions.run([accountId], ({ query, withCommit, onCommit }) => {
      const statements = [renamed('before'), renamed(null), renamed('after')];
      withCommit(() => Promise.all(sendAll(query, statements)));
      onCommit(committed);
      return Promise.resolve();
    });
    await expect(failing).rejects.toThrow('null value');
    expect(committed).not.toHaveBeenCalled();
    expect(await names()).toEqual([expect.stringContaining(accountId)]);
  });

  it.each([true, false])(
    'are locked with prepared statements when the connections allow that: %p',
    async (prepareStatements) => {
      const accountId = await ledger.factory.account();
      const options = billingDataSourceOptions({ url: ledger.url, poolSize: 1, prepareStatements });
      const own = await new DataSource(options).initialize();
      const transactions = new AccountTransactions(new TransactionRunner(own));
      const preparedNow = `SELECT name FROM pg_prepared_statements WHERE statement LIKE '%FOR NO KEY UPDATE%'`;
      const inTwo = [1, 2].map(() =>
        transactions.run([accountId], ({ query }) => query<{ name: string }>('read prepared', preparedNow)),
      );
      const found = await Promise.all(inTwo);
      await own.destroy();
      expect(found.map((rows) => rows.length === 1)).toEqual([prepareStatements, prepareStatements]);
    },
  );
});

describe('an account that another transaction has locked', () => {
  it('is waited for before any account with a higher id is locked, whatever the order of rows and arguments', async () => {
    const ids = [await ledger.factory.account(), await ledger.factory.account()];
    const [low = '', high = ''] = ids.sort();
    let both: Promise<void> = Promise.resolve();
    let isDone = false;
    await ledger.transactions.run([low], async () => {
      both = ledger.transactions.run([high, low], () => {
        isDone = true;
        return Promise.resolve();
      });
      await lockIsAwaited(() => isDone);
      const free = await ledger.query('SELECT id FROM accounts WHERE id = $1 FOR UPDATE SKIP LOCKED', [high]);
      expect(free).toHaveLength(1);
    });
    await both;
  });
});

it('a change is not committed when its caller gave up while it waited for the account', async () => {
  const accountId = await ledger.factory.account();
  const renameIn = (remainingMs: () => number) =>
    ledger.ownerTransactions.run(
      [accountId],
      ({ query }) => query('rename', rename, [accountId, 'Renamed']),
      { remainingMs },
    );
  await expect(renameIn(() => -1)).rejects.toMatchObject({ code: 'deadline_exceeded' });
  let remainingMs = 5_000;
  const whileHeld = ledger.transactions.run([accountId], async () => {
    const waiting = expect(renameIn(() => remainingMs)).rejects.toMatchObject({ code: 'deadline_exceeded' });
    await lockIsAwaited();
    remainingMs = -1;
    return { waiting };
  });
  await (
    await whileHeld
  ).waiting;
  expect(await names()).toEqual([expect.stringContaining(accountId)]);
  await renameIn(() => 5_000);
  expect(await names()).toEqual(['Renamed']);
});

it('a process that hangs before its COMMIT commits nothing later: PostgreSQL has ended the session by then', async () => {
  const client = new WatchedClient({ connectionString: ledger.url });
  await client.connect();
  await client.query(`BEGIN; INSERT INTO accounts (id, name, email, created_at)
    VALUES (gen_random_uuid(), 'Late', 'late@example.com', ledger_now())`);
  const ended = new Promise((resolve) => client.once('end', resolve));
  const deadline = performance.now() + 400;
  const remainingMs = () => deadline - performance.now();
  await commitInTime((_name, sql, parameters) => client.query(sql, parameters), remainingMs);
  await ended;
  await expect(client.query('COMMIT')).rejects.toThrow();
  expect(await names()).toEqual([]);
});

it('work under an advisory lock keeps other work out even for longer than a writing transaction may be idle', async () => {
  const database = ledger.get(TransactionRunner);
  const outcome = await database.runAlone(1_234_567, async () => {
    await ledger.query('SELECT pg_sleep(2.5)');
    return database.runAlone(1_234_567, () => Promise.resolve());
  });
  expect(outcome).toBeNull();
});
