import { commitInTime, sendAll, TransactionRunner, WatchedClient } from '#platform/database';
import { DataSource } from 'typeorm';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { AccountTransactions } from './account-transactions.js';
import { billingDataSourceOptions, sessionSettings } from './data-source.js';

const ledger = useAuditedLedger();
const unknown = '00000000-0000-4000-8000-000000000000';
const rename = 'UPDATE accounts SET name = $2 WHERE id = $1';

const names = async (): Promise<string[]> =>
  (await ledger.query<{ name: string }>('SELECT name FROM accounts')).map(({ name }) => name);

/** Resolves once a session waits for a lock, or `isOver` shows that the work did not wait. */
async function lockIsAwaited(isOver: () => boolean = () => false): Promise<void> {
  while (!isOver() && (await ledger.lockWaiters()) === 0);
}

describe('locked accounts', () => {
  it('are the existing ones of those requested, each once', async () => {
    const { accountId } = await ledger.customer(0);
    const found = await ledger.transactions.run([accountId, unknown, accountId], ({ accountIds }) =>
      Promise.resolve([...accountIds]),
    );
    expect(found).toEqual([accountId]);
  });

  it('that another transaction has locked are skipped and named, with skipBusy', async () => {
    const [held, free] = [(await ledger.customer(0)).accountId, (await ledger.customer(0)).accountId];
    const all = [held, free, unknown];
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
      await lockIsAwaited();
      await query('rename', rename, [accountId, 'left']);
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

/** The server's time. */
async function serverTime(): Promise<number> {
  const [row] = await ledger.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  return row?.at.getTime() ?? 0;
}

describe('an account that another transaction has locked', () => {
  it('comes with the instant at which the lock was acquired, also by the real clock', async () => {
    const accountId = await ledger.factory.account();
    let second: Promise<Date> = Promise.resolve(new Date(0));
    let heldUntil = 0;
    await ledger.transactions.run([accountId], async () => {
      second = ledger.transactions.run([accountId], ({ now }) => Promise.resolve(now));
      await lockIsAwaited();
      const waitingSince = await serverTime();
      do heldUntil = await serverTime();
      while (heldUntil === waitingSince);
    });
    expect((await second).getTime()).toBeGreaterThanOrEqual(heldUntil);
  });

  it('is waited for before any account with a higher id is locked, whatever the order of rows and arguments', async () => {
    const low = '00000000-0000-4000-8000-000000000001';
    const high = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
    for (const id of [high, low]) {
      await ledger.query(
        `INSERT INTO accounts (id, name, email, created_at) VALUES ($1, 'An account', 'a@example.com', ledger_now())`,
        [id],
      );
    }
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

/** A caller that gives up after `ms`. */
function givesUpIn(ms: number): () => number {
  const deadline = performance.now() + ms;
  return () => deadline - performance.now();
}

/** A session of billing with an open transaction that has created an account. */
async function sessionInTransaction(): Promise<WatchedClient> {
  const settings = Object.entries(sessionSettings).map(([name, value]) => `-c ${name}=${value}`);
  const client = new WatchedClient({ connectionString: ledger.url, options: settings.join(' ') });
  await client.connect();
  await client.query('BEGIN');
  await client.query(`INSERT INTO accounts (id, name, email, created_at)
    VALUES (gen_random_uuid(), 'Late', 'late@example.com', ledger_now())`);
  return client;
}

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
  const client = await sessionInTransaction();
  const remainingMs = givesUpIn(400);
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  await commitInTime((_name, sql, parameters) => client.query(sql, parameters), remainingMs);
  await ended;
  await expect(client.query('COMMIT')).rejects.toThrow();
  expect(await names()).toEqual([]);
});

const lock = 1_234_567;
const runner = () => ledger.get(TransactionRunner);

async function isFree(): Promise<boolean> {
  return (await runner().runAlone(lock, () => Promise.resolve('run'))) === 'run';
}

describe('work under an advisory lock', () => {
  it('keeps other work out even for longer than a writing transaction may be idle', async () => {
    const outcome = await runner().runAlone(lock, async () => {
      await ledger.query('SELECT pg_sleep(2.5)');
      return isFree();
    });
    expect(outcome).toBe(false);
  });
});
