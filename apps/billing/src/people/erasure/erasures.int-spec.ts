import { erasePerson, type ErasureReply, getPersonReport, listKeys, updateAccount } from '#contracts';
import { address, refusal, type Team, usePeople } from '../people.fixture.js';

const people = usePeople();
const network = '198.51.100.77';

const erase = (email: string): Promise<ErasureReply> =>
  people.send(erasePerson, { email, close_accounts: true }, 'Eva');

/** The tables with a row in which the text is anywhere. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await people.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await people.query(
      `SELECT FROM ${name} AS row WHERE position($1 IN lower(row::text)) > 0 LIMIT 1`,
      [text],
    );
    if (rows.length > 0) found.push(name);
  }
  return found.sort();
}

/** A person with everything that can be held about one, in an account of their own and in that of a colleague. */
async function everything(): Promise<{ own: Team; colleague: Team; email: string }> {
  const [own, colleague] = [await people.team(), await people.team()];
  const { email } = own;
  await people.member(colleague.id, email, 'owner');
  await people.browser().withIdentity(`of ${email}`, email);
  await people.browser().ask(email);
  await people.invite(own, address());
  const third = await people.team();
  await people.invite(third, email);
  await people.key(own);
  await people.order(own, 'expired');
  await people.query(
    `WITH notice AS (
       INSERT INTO notices (id, account_id, kind, subject, data, created_at)
       VALUES (gen_random_uuid(), $1, 'test', 'test', '{}', ledger_now()) RETURNING id
     )
     INSERT INTO deliveries (id, notice_id, account_id, channel, person_id, state, problem, created_at)
     SELECT gen_random_uuid(), id, $1, 'mail', $2, 'given_up', $3, ledger_now() FROM notice`,
    [own.id, own.personId, `550 no mailbox ${email}`],
  );
  await people.send(updateAccount, { account_id: colleague.id, email }, 'Eva');
  await people.query('UPDATE accounts SET signed_up_from = $1 WHERE id = ANY($2::uuid[])', [
    network,
    [own.id, third.id],
  ]);
  return { own, colleague, email };
}

it('a person is reported, then erased from every table, and the reply says what was erased, and what can be at Stripe', async () => {
  const { own, colleague, email } = await everything();
  const report = await people.send(getPersonReport, { email: ` ${email.toUpperCase()} ` });
  expect(report).toMatchObject({
    email,
    person: { id: own.personId },
    identities: [{ issuer: 'https://id.example', subject: `of ${email}` }],
    keys: [{ account_id: own.id, name: 'tool', deleted_at: null }],
    orders: [{ account_id: own.id, pack: 'trial' }],
    mails: [{ kind: 'test', state: 'given_up' }],
    invitations: [{ role: 'member', ended_at: null }],
    invitations_sent: [{ account_id: own.id }],
  });
  const { memberships, accounts, sessions, sign_ins } = report;
  expect([memberships, accounts, sessions, sign_ins].map(({ length }) => length)).toEqual([2, 2, 2, 2]);
  expect(accounts.find(({ id }) => id === own.id)?.signed_up_from).toBe(network);

  expect(await tablesWith(email)).toHaveLength(7);
  const { erased, payment_urls } = await erase(email);
  expect(await tablesWith(email)).toEqual([]);
  expect(erased).toEqual({
    ...{ people: 1, memberships: 2, identities: 1, sessions: 2, sign_ins: 2, invitations: 1, mails: 1 },
    ...{ account_addresses: 2, closed_accounts: 1, switched_off_keys: 1, log_entries: 1 },
  });
  expect(payment_urls).toEqual([`https://dashboard.stripe.com/payments/pi_${own.id}expired`]);
  expect([await people.members(colleague.id), await people.members(own.id)]).toEqual([[colleague.email], []]);
  const name = `Erased account ${own.id}`;
  const accountSql = 'SELECT name, email, signed_up_from FROM accounts WHERE id = $1';
  expect(await people.query(accountSql, [own.id])).toEqual([{ name, email: name, signed_up_from: null }]);
  const created_by = { email: `Erased person ${own.personId}`, is_member: false };
  expect(await people.send(listKeys, { account_id: own.id })).toMatchObject({
    keys: [{ active: false, created_by }],
  });
  const logSql = 'SELECT token_name, after FROM admin_log WHERE subject = $1';
  expect(await people.query(logSql, [own.personId])).toMatchObject([
    { token_name: 'Eva', after: { people: 1, log_entries: 1 } },
  ]);
  expect(await refusal(own.owner.show())).toBe('unauthorized');
  expect(await refusal(erase(email))).toBe('not_found');
  expect((await (await people.signedIn(email)).show()).person_id).not.toBe(own.personId);
});
