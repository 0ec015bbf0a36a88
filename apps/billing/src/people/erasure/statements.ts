/** What a statement reads or changes, and the statement. */
type Named = readonly [what: Lowercase<string>, sql: string];

/**
 * In front of what is asked about a person: $1 their address, $2 its mailbox, $3 their id, NULL for an address without a person,
 * which then equals nothing, $4 the accounts that are closed with them. Each statement is served by an index on one of them.
 */
const asked =
  'WITH asked (email, mailbox, person_id, closed) AS (VALUES ($1::text, $2::text, $3::uuid, $4::uuid[]))';

function list(what: Lowercase<string>, columns: string, from: string, newestBy = 'created_at'): Named {
  return [what, `${asked} SELECT ${columns} FROM asked JOIN ${from} ORDER BY ${newestBy} DESC LIMIT 1000`];
}

const sameMailbox = 'invitations.mailbox = asked.mailbox AND email_folded = email';

export const person = 'SELECT id, created_at FROM people WHERE email_folded = $1';

/** The lists of a report. */
export const held: readonly Named[] = [
  list('accounts', 'id, name, created_at, signed_up_from', 'accounts USING (email)'),
  list('sign_ins', 'created_at, used_at, attempts', 'sign_ins ON email_folded = email'),
  list('invitations', 'account_id, role, created_at, ended_at', `invitations ON ${sameMailbox}`),
  list(
    'memberships',
    'account_id, accounts.name AS account_name, role, added_at, last_seen_at',
    'members USING (person_id) JOIN accounts ON accounts.id = account_id',
    'added_at',
  ),
  list('identities', 'issuer, subject, bound_at, last_used_at', 'identities USING (person_id)', 'bound_at'),
  list(
    'sessions',
    'id, account_id, method, network, user_agent, signed_in_at, last_seen_at, expires_at',
    'sessions USING (person_id)',
    'signed_in_at',
  ),
  list('invitations_sent', 'account_id, created_at', 'invitations ON invited_by = person_id'),
  list('orders', 'id, account_id, pack, state, ordered_at', 'orders USING (person_id)', 'ordered_at'),
  list('keys', 'id, account_id, name, prefix, created_at, deleted_at', 'api_keys ON created_by = person_id'),
  list(
    'mails',
    'deliveries.account_id, kind, state, problem, deliveries.created_at',
    'deliveries USING (person_id) JOIN notices ON notices.id = notice_id',
    'deliveries.created_at',
  ),
];

const change = (what: Lowercase<string>, sql: string): Named => [what, `${asked} ${sql} RETURNING 1`];

function deleteOfPerson(what: Lowercase<string>, table: string): Named {
  return change(what, `DELETE FROM ${table} USING asked WHERE ${table}.person_id = asked.person_id`);
}

/** Ends what is of the accounts that are closed. */
function ofClosed(what: Lowercase<string>, update: string, condition: string): Named {
  return change(what, `UPDATE ${update} FROM asked WHERE account_id = ANY(closed) AND ${condition}`);
}

/**
 * In the order in which they run; each returns a row for what it has erased. An account opened by sign-up is named after its address.
 * No address has the form of the pseudonym, so signing in as this person is impossible; the sweep deletes them once nothing refers
 * to them.
 */
export const erasing: readonly Named[] = [
  change(
    'networks of sign-ups',
    `UPDATE accounts SET signed_up_from = NULL FROM asked WHERE signed_up_from IS NOT NULL AND (accounts.email = asked.email
       OR id IN (SELECT account_id FROM members WHERE members.person_id = asked.person_id AND role = 'owner'))`,
  ),
  change('sign_ins', 'DELETE FROM sign_ins USING asked WHERE email_folded = email'),
  change('invitations', `DELETE FROM invitations USING asked WHERE ${sameMailbox}`),
  change(
    'account_addresses',
    `UPDATE accounts SET email = 'Erased account ' || id,
       name = CASE WHEN lower(name) = asked.email THEN 'Erased account ' || id ELSE name END
     FROM asked WHERE accounts.email = asked.email`,
  ),
  change(
    'invitations sent',
    'UPDATE invitations SET ended_at = ledger_now() FROM asked WHERE invited_by = person_id AND ended_at IS NULL',
  ),
  deleteOfPerson('memberships', 'members'),
  deleteOfPerson('identities', 'identities'),
  deleteOfPerson('sessions', 'sessions'),
  deleteOfPerson('mails', 'deliveries'),
  change(
    'people',
    `UPDATE people SET email = 'Erased person ' || id, email_folded = 'Erased person ' || id, next_check_at = ledger_now()
     FROM asked WHERE id = person_id`,
  ),
  ofClosed('sessions of accounts', 'sessions SET expires_at = ledger_now()', 'expires_at > ledger_now()'),
  ofClosed('invitations to accounts', 'invitations SET ended_at = ledger_now()', 'ended_at IS NULL'),
  ofClosed('agreements', 'agreements SET ended_at = ledger_now(), next_due_at = NULL', 'ended_at IS NULL'),
  change('members of accounts', 'DELETE FROM members USING asked WHERE account_id = ANY(closed)'),
  change('notice settings', 'DELETE FROM notice_settings USING asked WHERE account_id = ANY(closed)'),
  change(
    'closed_accounts',
    `UPDATE accounts SET name = 'Erased account ' || id, email = 'Erased account ' || id FROM asked WHERE id = ANY(closed)`,
  ),
  ofClosed('switched_off_keys', 'api_keys SET active = false', 'active AND deleted_at IS NULL'),
];

/** The accounts to lock before the address $1 with the mailbox $2 is erased. */
export const accountsToLock = `
  SELECT account_id AS id FROM members JOIN people ON people.id = person_id WHERE email_folded = $1
  UNION SELECT id FROM accounts WHERE email = $1
  UNION SELECT account_id FROM invitations WHERE mailbox = $2 AND email_folded = $1`;

/** Accounts whose only owner is the person. */
export const ownedAlone = `
  SELECT accounts.id, accounts.name
  FROM members AS own JOIN accounts ON accounts.id = own.account_id
  WHERE own.person_id = $1 AND own.role = 'owner' AND NOT EXISTS (
    SELECT FROM members AS others
    WHERE others.account_id = own.account_id AND others.role = 'owner' AND others.person_id <> $1
  )
  ORDER BY accounts.created_at, accounts.id`;

/** What is kept of a person, with at most 100 payments. */
export const kept = `
  SELECT (SELECT count(*)::integer FROM orders WHERE person_id = $1) AS orders,
    (SELECT count(*)::integer FROM api_keys WHERE created_by = $1) AS keys,
    ARRAY(
      SELECT payment_intent_id FROM orders WHERE person_id = $1 AND payment_intent_id IS NOT NULL
      ORDER BY ordered_at DESC LIMIT 100
    ) AS payments`;

/** The last erasure of an address counts. */
export const addErasure = `
  INSERT INTO erasures (email_hash, erased_at, close_accounts) VALUES ($1, $2, $3)
  ON CONFLICT (email_hash) DO UPDATE
    SET erased_at = GREATEST(erasures.erased_at, excluded.erased_at),
      close_accounts = erasures.close_accounts OR excluded.close_accounts`;

/**
 * The address behind the hash $1, unless its person came after $2. Reads whole tables: after a restored backup only, and no index
 * would serve it.
 */
export const addressOfHash = `
  SELECT email FROM (
    SELECT email_folded AS email FROM people WHERE created_at <= $2
    UNION SELECT email FROM accounts WHERE created_at <= $2
    UNION SELECT email_folded FROM invitations WHERE created_at <= $2
    UNION SELECT email_folded FROM sign_ins WHERE created_at <= $2
  ) AS held
  WHERE encode(sha256(convert_to(email, 'UTF8')), 'hex') = $1
    AND NOT EXISTS (SELECT FROM people WHERE email_folded = held.email AND created_at > $2)
  LIMIT 1`;
