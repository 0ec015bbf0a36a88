import { randomUUID } from 'node:crypto';
import { migrate } from '@app/platform/database';
import { useDatabaseBefore } from './database-before.fixture.js';

const older = useDatabaseBefore('LanesAndReceipts');

it('orders, settings and waiting deliveries stay as they are', async () => {
  const [account, order, notice] = [randomUUID(), randomUUID(), randomUUID()];
  const statements: [string, string[]][] = [
    [
      "INSERT INTO accounts (id, name, email, created_at) VALUES ($1, 'A', 'a@acme.example', ledger_now())",
      [account],
    ],
    [
      `INSERT INTO orders (id, account_id, person_id, pack, credits, price_cents, state, ordered_at, checked_at)
       VALUES ($1, $2, gen_random_uuid(), 'trial', 50, 1900, 'open', ledger_now(), ledger_now())`,
      [order, account],
    ],
    [
      'INSERT INTO notice_settings (account_id, balance_threshold, balance_checked_at) VALUES ($1, 5, ledger_now())',
      [account],
    ],
    [
      `INSERT INTO notices (id, account_id, kind, subject, data, created_at) VALUES ($1, $2, 'test', 'x', '{}', ledger_now())`,
      [notice, account],
    ],
    [
      `INSERT INTO deliveries (id, notice_id, account_id, channel, next_attempt_at, created_at)
       VALUES (gen_random_uuid(), $1, $2, 'webhook', ledger_now(), ledger_now())`,
      [notice, account],
    ],
  ];
  for (const [sql, parameters] of statements) await older.database.query(sql, parameters);
  await migrate(older.database);
  expect(
    await older.database.query(
      `SELECT orders.state, viewed_at, receipt_url, checkout_url, balance_threshold, webhook_checks, attempt_until, channel
       FROM orders JOIN notice_settings USING (account_id) JOIN deliveries USING (account_id)`,
    ),
  ).toEqual([
    {
      state: 'open',
      viewed_at: null,
      receipt_url: null,
      checkout_url: null,
      balance_threshold: 5,
      webhook_checks: 0,
      attempt_until: null,
      channel: 'webhook',
    },
  ]);
});
