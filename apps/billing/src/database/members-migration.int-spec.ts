import { migrate } from '@app/platform/database';
import { useDatabaseBefore } from './database-before.fixture.js';

describe('the migration that adds members', () => {
  const older = useDatabaseBefore('Members');

  const add = (...emails: string[]): Promise<unknown> =>
    older.database.query(
      `INSERT INTO accounts (id, name, email, created_at) SELECT gen_random_uuid(), email, email, ledger_now() FROM unnest($1::text[]) AS email`,
      [emails],
    );
  const owners = (): Promise<object[]> =>
    older.database.query(
      `SELECT accounts.name AS account, people.email_folded AS owner, role FROM accounts
       LEFT JOIN members ON account_id = accounts.id LEFT JOIN people ON people.id = person_id ORDER BY accounts.name COLLATE "C"`,
    );

  it('makes the address of every account its owner, once, and leaves out what is no address', async () => {
    await add('Ops@Acme.example', 'ops@acme.example', 'ÉVA@acme.example', 'nobody', '"a b"@acme.example');
    await migrate(older.database);
    const role = 'owner';
    expect(await owners()).toEqual([
      { account: '"a b"@acme.example', owner: null, role: null },
      { account: 'Ops@Acme.example', owner: 'ops@acme.example', role },
      { account: 'nobody', owner: null, role: null },
      { account: 'ops@acme.example', owner: 'ops@acme.example', role },
      { account: 'ÉVA@acme.example', owner: 'éva@acme.example', role },
    ]);
    expect(await older.database.query('SELECT count(*)::integer AS people FROM people')).toEqual([
      { people: 2 },
    ]);
  });

  it('can be interrupted and run again, with more accounts than it takes at once', async () => {
    await add(...Array.from({ length: 2_300 }, (_, n) => `${n}@acme.example`));
    const runner = older.database.createQueryRunner();
    try {
      await new older.Migration().up(runner);
      await runner.query('DELETE FROM members WHERE random() < 0.5');
    } finally {
      await runner.release();
    }
    await migrate(older.database);
    const counts =
      'SELECT count(*)::integer AS all, count(person_id)::integer AS owned FROM accounts LEFT JOIN members ON account_id = accounts.id';
    expect(await older.database.query(counts)).toEqual([{ all: 2_300, owned: 2_300 }]);
  });
});
