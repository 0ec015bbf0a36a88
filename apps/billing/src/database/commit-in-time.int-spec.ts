import { commitInTime, WatchedClient } from '@app/platform/database';
import { useAuditedLedger } from '../ledger/ledger.fixture.js';
import { sessionSettings } from './data-source.js';

const ledger = useAuditedLedger();

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

const accounts = () => ledger.query<{ name: string }>('SELECT name FROM accounts');

it('a change is not committed when its caller gave up while it waited for the account', async () => {
  const accountId = await ledger.factory.account();
  const rename = (remainingMs: () => number) =>
    ledger.ownerTransactions.run(
      [accountId],
      ({ query }) => query('rename', `UPDATE accounts SET name = 'Renamed'`),
      { remainingMs },
    );
  await expect(rename(() => -1)).rejects.toMatchObject({ code: 'deadline_exceeded' });
  let remainingMs = 5_000;
  const whileHeld = ledger.transactions.run([accountId], async () => {
    const waiting = expect(rename(() => remainingMs)).rejects.toMatchObject({ code: 'deadline_exceeded' });
    const waits = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    while ((await ledger.query(waits)).length === 0);
    remainingMs = -1;
    return { waiting };
  });
  await (
    await whileHeld
  ).waiting;
  expect(await accounts()).toEqual([{ name: expect.stringContaining(accountId) as string }]);
  await rename(() => 5_000);
  expect(await accounts()).toEqual([{ name: 'Renamed' }]);
});

it('a process that hangs before its COMMIT commits nothing later: PostgreSQL has ended the session by then', async () => {
  const client = await sessionInTransaction();
  const remainingMs = givesUpIn(400);
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  await commitInTime((_name, sql, parameters) => client.query(sql, parameters), remainingMs);
  await ended;
  await expect(client.query('COMMIT')).rejects.toThrow();
  expect(await accounts()).toEqual([]);
});

it('a caller with a long time-out does not let a process that hangs keep accounts locked for longer', async () => {
  const client = await sessionInTransaction();
  await commitInTime((_name, sql, parameters) => client.query(sql, parameters), givesUpIn(60_000));
  const { rows } = await client.query<{ ms: string }>(
    `SELECT setting AS ms FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'`,
  );
  expect(rows).toEqual([{ ms: sessionSettings.idle_in_transaction_session_timeout }]);
  await client.query('COMMIT');
  expect(await accounts()).toHaveLength(1);
  await client.end();
});
