import { migrate } from '@app/platform/database';
import { BillingFactory } from '@app/testing';
import { useDatabaseBefore } from './database-before.fixture.js';

describe('the migration that adds counts of free calls', () => {
  const older = useDatabaseBefore('FreeCalls');

  it('leaves calls and keys as they are, and can be interrupted and run again', async () => {
    const factory = new BillingFactory((sql, parameters) => older.database.query(sql, parameters));
    const accountId = await factory.account();
    const keyId = await factory.key(accountId);
    await older.database.query(
      `INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, credits_remaining, created_at, pending_until, settled_at)
       VALUES (gen_random_uuid(), $1, $2, 'old', 'search', 0, 'posted', 0, ledger_now(), ledger_now(), ledger_now())`,
      [accountId, keyId],
    );
    const rows = (): Promise<unknown[]> =>
      Promise.all(['charges', 'api_keys'].map((table) => older.database.query(`SELECT id FROM ${table}`)));
    const unchanged = await rows();
    const runner = older.database.createQueryRunner();
    try {
      await new older.Migration().up(runner);
      await runner.query('DROP INDEX charges_free');
    } finally {
      await runner.release();
    }
    await migrate(older.database);
    expect(await rows()).toEqual(unchanged);
    const [index] = await older.database.query<{ indisvalid: boolean }[]>(
      `SELECT indisvalid FROM pg_index WHERE indexrelid = 'charges_free'::regclass`,
    );
    expect(index).toEqual({ indisvalid: true });
  });
});
