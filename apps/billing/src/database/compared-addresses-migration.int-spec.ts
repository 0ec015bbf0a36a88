import { randomUUID } from 'node:crypto';
import { migrate } from '@app/platform/database';
import { useDatabaseBefore } from './database-before.fixture.js';

describe('the migration to compared addresses', () => {
  const older = useDatabaseBefore('ComparedAddresses');

  /** An account with one member, as an older version stored them, who is signed in and has asked for a link. */
  async function person(email: string, folded: string): Promise<void> {
    const [accountId, personId] = [randomUUID(), randomUUID()];
    const insert = (sql: string, ...parameters: unknown[]) =>
      older.database.query(`INSERT INTO ${sql}`, parameters);
    await insert('accounts VALUES ($1, $2, $2, ledger_now())', accountId, email);
    await insert('people VALUES ($1, $2, $3, ledger_now())', personId, email, folded);
    await insert(`members VALUES ($1, $2, 'owner', ledger_now(), NULL)`, accountId, personId);
    await insert(
      `sessions VALUES (gen_random_uuid(), $3, $1, $2, 'n', 'u', ledger_now(), ledger_now(), ledger_now() + interval '1 day')`,
      personId,
      accountId,
      randomUUID().replaceAll('-', '').repeat(2),
    );
    await insert(
      `sign_ins (id, email_folded, link_hash, created_at, expires_at)
       VALUES (gen_random_uuid(), $1, $2, ledger_now(), ledger_now() + interval '10 minutes')`,
      folded,
      randomUUID().replaceAll('-', '').repeat(2),
    );
  }

  const stored = (): Promise<object[]> =>
    older.database.query(
      `SELECT accounts.email AS account, people.email, email_folded, refused_email AS refused,
         expires_at > ledger_now() AS signed_in,
         EXISTS (SELECT FROM sign_ins WHERE sign_ins.email_folded = people.email_folded AND used_at IS NULL) AS link
       FROM people JOIN members ON members.person_id = people.id JOIN accounts ON accounts.id = members.account_id
       JOIN sessions ON sessions.person_id = people.id ORDER BY accounts.name COLLATE "C"`,
    );

  it('writes every address as it is compared, and signs out people who were taken for others', async () => {
    await person('Ops@Acme.example', 'ops@acme.example');
    await person('a@acme.example', 'a@acme.example');
    await person('b@xn--mller-kva.example', 'b@xn--mller-kva.example');
    await person('c@xn--mller-kva.example', 'c@xn--mller-kva.example');
    await person('c@müller.example', 'c@müller.example');
    await person('d@corp。example.com', 'd@corp。example.com');
    await person('ｃfo@corp.example', 'cfo@corp.example');
    await migrate(older.database);
    const good = { refused: null, signed_in: true, link: true };
    const bad = { signed_in: false, link: false };
    const same = (email: string) => ({ account: email, email, email_folded: email });
    const other = 'c@xn--mller-kva.example';
    const expected = [
      { ...same('ops@acme.example'), ...good },
      { ...same('a@acme.example'), ...good },
      // Links of the former spelling are not found: a new one is asked for.
      { ...same('b@müller.example'), ...good, link: false },
      { ...same('c@müller.example'), ...good },
      { ...same(other), account: 'c@müller.example', ...bad, refused: other },
      { ...same('d@corp。example.com'), ...bad, refused: 'd@corp。example.com' },
      {
        account: 'ｃfo@corp.example',
        email: 'cfo@corp.example',
        email_folded: 'cfo@corp.example',
        ...bad,
        refused: 'ｃfo@corp.example',
      },
    ];
    const first = await stored();
    expect(first).toHaveLength(expected.length);
    expect(first).toEqual(expect.arrayContaining(expected));

    // Interrupted and run again.
    const runner = older.database.createQueryRunner();
    await new older.Migration().up(runner);
    await runner.release();
    expect(await stored()).toEqual(first);
  });
});
