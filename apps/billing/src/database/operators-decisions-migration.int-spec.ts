import { randomUUID } from 'node:crypto';
import { migrate } from '@app/platform/database';
import { BillingFactory } from '@app/testing';
import { useDatabaseBefore } from './database-before.fixture.js';

const older = useDatabaseBefore('OperatorsDecisions');

it('orders and accounts from before owe nothing and wait for nobody, and the migration can be interrupted', async () => {
  const { database, Migration } = older;
  const factory = new BillingFactory((sql, parameters) => database.query(sql, parameters));
  const accountId = await factory.account();
  const orderId = randomUUID();
  await database.query(
    `INSERT INTO orders (id, account_id, person_id, pack, credits, price_cents, state, ordered_at, checked_at)
     VALUES ($1, $2, $3, 'builder', 500, 14900, 'open', ledger_now(), ledger_now())`,
    [orderId, accountId, randomUUID()],
  );
  const runner = database.createQueryRunner();
  try {
    await new Migration().up(runner);
    await runner.query('DROP INDEX orders_page');
  } finally {
    await runner.release();
  }
  await migrate(database);
  expect(
    await database.query('SELECT id, refund_attempts, is_dispute_lost, accepted_at FROM orders'),
  ).toEqual([{ id: orderId, refund_attempts: 0, is_dispute_lost: false, accepted_at: null }]);
  expect(await database.query('SELECT id, owes_since FROM accounts')).toEqual([
    { id: accountId, owes_since: null },
  ]);
  expect(await database.query('SELECT FROM pg_index WHERE NOT indisvalid')).toEqual([]);
});
