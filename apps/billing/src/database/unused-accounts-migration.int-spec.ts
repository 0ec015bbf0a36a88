import { migrate } from '@app/platform/database';
import { BillingFactory } from '@app/testing';
import { useDatabaseBefore } from './database-before.fixture.js';

const older = useDatabaseBefore('UnusedAccounts');

it('accounts from before sign-ups were recorded count as made by operators, and the migration can be interrupted', async () => {
  const { database, Migration } = older;
  const factory = new BillingFactory((sql, parameters) => database.query(sql, parameters));
  const accountId = await factory.account();
  await factory.member(accountId, 'a@example.com', 'owner');
  const runner = database.createQueryRunner();
  try {
    await new Migration().up(runner);
    await runner.query('DROP INDEX people_to_check');
  } finally {
    await runner.release();
  }
  await migrate(database);
  expect(await database.query('SELECT id, signed_up_from, next_check_at FROM accounts')).toEqual([
    { id: accountId, signed_up_from: null, next_check_at: null },
  ]);
  const [people] = await database.query<{ due: number }[]>(
    'SELECT count(*)::integer AS due FROM people WHERE next_check_at <= ledger_now()',
  );
  expect(people).toEqual({ due: 1 });
  expect(await database.query('SELECT FROM pg_index WHERE NOT indisvalid')).toEqual([]);
});
