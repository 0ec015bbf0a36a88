import { migrate } from '@app/platform/database';
import { BillingFactory } from '@app/testing';
import { useDatabaseBefore } from './database-before.fixture.js';

const older = useDatabaseBefore('Identities');

it('sessions that are open go on: how they were opened is not known, and their accounts ask for nothing', async () => {
  const { database } = older;
  const factory = new BillingFactory((sql, parameters) => database.query(sql, parameters));
  const accountId = await factory.account();
  const personId = await factory.member(accountId, 'a@example.com', 'owner');
  // As the previous version writes it, before the migration and beside the new version.
  const open = (hash: string): Promise<unknown> =>
    database.query(
      `INSERT INTO sessions (id, token_hash, person_id, account_id, network, user_agent, signed_in_at, last_seen_at, expires_at)
       VALUES (gen_random_uuid(), $1, $2, $3, '203.0.113.7', 'Firefox', ledger_now(), ledger_now(), ledger_now() + interval '30 days')`,
      [hash, personId, accountId],
    );
  await open('a'.repeat(64));
  await migrate(database);
  await open('b'.repeat(64));
  expect(await database.query('SELECT method, is_address_proven FROM sessions')).toEqual([
    { method: null, is_address_proven: true },
    { method: null, is_address_proven: true },
  ]);
  expect(await database.query('SELECT provider_only, session_hours FROM accounts')).toEqual([
    { provider_only: false, session_hours: null },
  ]);
});

it('the previous version, which sweeps beside this one, deletes people together with their identities', async () => {
  const { database } = older;
  await migrate(database);
  const factory = new BillingFactory((sql, parameters) => database.query(sql, parameters));
  const accountId = await factory.account();
  const personId = await factory.member(accountId, 'a@example.com', 'owner');
  await database.query(
    `INSERT INTO identities (issuer, subject, person_id, bound_at, last_used_at)
     VALUES ('https://id.example', 'a', $1, ledger_now(), ledger_now())`,
    [personId],
  );
  await database.query('DELETE FROM members');
  await database.query('DELETE FROM people WHERE id = $1', [personId]);
  expect(await database.query('SELECT FROM identities')).toEqual([]);
});
