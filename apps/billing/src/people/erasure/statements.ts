/** Statements in the order in which they run, by what they read or change. */
export type Statements = readonly (readonly [what: Lowercase<string>, sql: string])[];

/**
 * In front of what is asked about a person: $1 their address, $2 its mailbox, $3 their id, NULL for an address without a person,
 * which then equals nothing. Each statement is served by an index on one of them.
 */
const asked = 'WITH asked (email, mailbox, person_id) AS (VALUES ($1::text, $2::text, $3::uuid))';

const about = (statements: Statements): Statements =>
  statements.map(([what, sql]) => [what, `${asked} ${sql}`]);

function deleteFrom(table: string): string {
  return `DELETE FROM ${table} USING asked WHERE ${table}.person_id = asked.person_id RETURNING 1`;
}

export const person = 'SELECT id, created_at FROM people WHERE email_folded = $1';

/** The lists of a report. */
export const held = about([
  [
    'accounts',
    'SELECT id, name, created_at, signed_up_from FROM asked JOIN accounts USING (email) ORDER BY created_at DESC',
  ],
  [
    'sign_ins',
    'SELECT created_at, used_at, attempts FROM asked JOIN sign_ins ON email_folded = email ORDER BY created_at DESC',
  ],
  [
    'invitations',
    `SELECT account_id, role, created_at, ended_at FROM asked JOIN invitations USING (mailbox)
     WHERE email_folded = email ORDER BY created_at DESC`,
  ],
  [
    'memberships',
    `SELECT account_id, accounts.name AS account_name, role, added_at, last_seen_at
     FROM asked JOIN members USING (person_id) JOIN accounts ON accounts.id = account_id ORDER BY added_at DESC`,
  ],
  [
    'identities',
    'SELECT issuer, subject, bound_at, last_used_at FROM asked JOIN identities USING (person_id) ORDER BY bound_at DESC',
  ],
  [
    'sessions',
    `SELECT id, account_id, method, network, user_agent, signed_in_at, last_seen_at, expires_at
     FROM asked JOIN sessions USING (person_id) ORDER BY signed_in_at DESC`,
  ],
  [
    'invitations_sent',
    'SELECT account_id, created_at FROM asked JOIN invitations ON invited_by = person_id ORDER BY created_at DESC',
  ],
  [
    'orders',
    'SELECT id, account_id, pack, state, ordered_at FROM asked JOIN orders USING (person_id) ORDER BY ordered_at DESC',
  ],
  [
    'keys',
    `SELECT id, account_id, name, prefix, created_at, deleted_at FROM asked JOIN api_keys ON created_by = person_id
     ORDER BY created_at DESC`,
  ],
  [
    'mails',
    `SELECT deliveries.account_id, kind, state, problem, deliveries.created_at
     FROM asked JOIN deliveries USING (person_id) JOIN notices ON notices.id = notice_id ORDER BY deliveries.created_at DESC`,
  ],
]);

/**
 * Each returns a row for what it has erased. An account opened by sign-up is named after its address. No address has the form of
 * the pseudonym, so signing in as this person is impossible; the sweep deletes them once nothing refers to them.
 */
export const erasing = about([
  [
    'networks of sign-ups',
    `UPDATE accounts SET signed_up_from = NULL FROM asked WHERE signed_up_from IS NOT NULL AND (accounts.email = asked.email
       OR id IN (SELECT account_id FROM members WHERE members.person_id = asked.person_id AND role = 'owner'))`,
  ],
  ['sign_ins', 'DELETE FROM sign_ins USING asked WHERE email_folded = email RETURNING id'],
  [
    'invitations',
    'DELETE FROM invitations USING asked WHERE invitations.mailbox = asked.mailbox AND email_folded = email RETURNING id',
  ],
  [
    'account_addresses',
    `UPDATE accounts SET email = 'Erased account ' || id,
       name = CASE WHEN lower(name) = asked.email THEN 'Erased account ' || id ELSE name END
     FROM asked WHERE accounts.email = asked.email RETURNING id`,
  ],
  [
    'invitations sent',
    'UPDATE invitations SET ended_at = ledger_now() FROM asked WHERE invited_by = person_id AND ended_at IS NULL',
  ],
  ['memberships', deleteFrom('members')],
  ['identities', deleteFrom('identities')],
  ['sessions', deleteFrom('sessions')],
  ['mails', deleteFrom('deliveries')],
  [
    'people',
    `UPDATE people SET email = 'Erased person ' || id, email_folded = 'Erased person ' || id, next_check_at = ledger_now()
     FROM asked WHERE id = person_id RETURNING id`,
  ],
]);

const ofClosed = 'account_id = ANY($1::uuid[])';
/** What is done to the accounts $1 that are closed. */
export const closing: Statements = [
  [
    'sessions of accounts',
    `UPDATE sessions SET expires_at = ledger_now() WHERE ${ofClosed} AND expires_at > ledger_now()`,
  ],
  [
    'invitations to accounts',
    `UPDATE invitations SET ended_at = ledger_now() WHERE ${ofClosed} AND ended_at IS NULL`,
  ],
  [
    'agreements',
    `UPDATE agreements SET ended_at = ledger_now(), next_due_at = NULL WHERE ${ofClosed} AND ended_at IS NULL`,
  ],
  ['members of accounts', `DELETE FROM members WHERE ${ofClosed}`],
  ['notice settings', `DELETE FROM notice_settings WHERE ${ofClosed}`],
  [
    'closed_accounts',
    `UPDATE accounts SET name = 'Erased account ' || id, email = 'Erased account ' || id WHERE id = ANY($1::uuid[]) RETURNING id`,
  ],
  [
    'switched_off_keys',
    `UPDATE api_keys SET active = false WHERE ${ofClosed} AND active AND deleted_at IS NULL RETURNING id`,
  ],
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
