import { type PersonReport } from '#contracts';

/**
 * In front of each statement about a person: $1 their address, $2 its mailbox, $3 their id, NULL for an address without a person,
 * which then equals nothing, $4 the accounts that are closed with them. Each statement is served by an index on one of them.
 */
const asked =
  'WITH asked (email, mailbox, person_id, closed) AS (VALUES ($1::text, $2::text, $3::uuid, $4::uuid[]))';

/** Named statements, in the order in which they run. */
const statements = <What extends Lowercase<string>>(end: string, all: Readonly<Record<What, string>>) =>
  Object.entries<string>(all).map(([what, sql]) => [what as What, `${asked} ${sql} ${end}`] as const);

const ofAddressOrPerson = 'email_folded = email OR sign_ins.person_id = asked.person_id';
const sameMailbox = 'invitations.mailbox = asked.mailbox AND email_folded = email';

export type ReportList = Exclude<keyof PersonReport, 'email' | 'person'>;

/** The lists of a report. The first column is the time by which the newest rows come first. */
export const held = statements<ReportList>('ORDER BY 1 DESC LIMIT 1000', {
  accounts: 'SELECT created_at, id, name, signed_up_from FROM asked JOIN accounts USING (email)',
  memberships: `SELECT added_at, last_seen_at, account_id, accounts.name AS account_name, role
    FROM asked JOIN members USING (person_id) JOIN accounts ON accounts.id = account_id`,
  identities: 'SELECT bound_at, last_used_at, issuer, subject FROM asked JOIN identities USING (person_id)',
  sessions: `SELECT signed_in_at, last_seen_at, expires_at, id, account_id, method, network, user_agent
    FROM asked JOIN sessions USING (person_id)`,
  sign_ins: `SELECT created_at, used_at, attempts FROM asked JOIN sign_ins ON ${ofAddressOrPerson}`,
  invitations: `SELECT created_at, ended_at, account_id, role FROM asked JOIN invitations ON ${sameMailbox}`,
  invitations_sent: 'SELECT created_at, account_id FROM asked JOIN invitations ON invited_by = person_id',
  orders: 'SELECT ordered_at, id, account_id, pack, state FROM asked JOIN orders USING (person_id)',
  keys: `SELECT created_at, deleted_at, id, account_id, name, prefix
    FROM asked JOIN api_keys ON created_by = person_id`,
  mails: `SELECT deliveries.created_at, deliveries.account_id, kind, state, problem
    FROM asked JOIN deliveries USING (person_id) JOIN notices ON notices.id = notice_id`,
});

const deleteOfPerson = (table: string): string =>
  `DELETE FROM ${table} USING asked WHERE ${table}.person_id = asked.person_id`;

/**
 * Each returns a row for what it has erased. An account opened by sign-up is named after its address. No address has the form of the
 * pseudonym, so signing in as this person is impossible; the sweep deletes them once nothing refers to them. It empties the networks
 * of the person's other sign-ups within a day.
 */
export const erasing = statements('RETURNING 1', {
  sign_ins: `DELETE FROM sign_ins USING asked WHERE ${ofAddressOrPerson}`,
  invitations: `DELETE FROM invitations USING asked WHERE ${sameMailbox}`,
  'invitations sent': `UPDATE invitations SET ended_at = ledger_now()
    FROM asked WHERE invited_by = person_id AND ended_at IS NULL`,
  account_addresses: `UPDATE accounts SET email = 'Erased account ' || id, signed_up_from = NULL,
      name = CASE WHEN lower(name) = asked.email THEN 'Erased account ' || id ELSE name END
    FROM asked WHERE accounts.email = asked.email`,
  memberships: deleteOfPerson('members'),
  identities: deleteOfPerson('identities'),
  sessions: deleteOfPerson('sessions'),
  mails: deleteOfPerson('deliveries'),
  people: `UPDATE people SET email_folded = 'Erased person ' || id, next_check_at = ledger_now()
    FROM asked WHERE id = person_id`,
});

/** For accounts that are closed, which keep no name. */
export const closing = statements('RETURNING 1', {
  'sessions of accounts': `UPDATE sessions SET expires_at = ledger_now()
    FROM asked WHERE account_id = ANY(closed) AND expires_at > ledger_now()`,
  'invitations to accounts': `UPDATE invitations SET ended_at = ledger_now()
    FROM asked WHERE account_id = ANY(closed) AND ended_at IS NULL`,
  agreements: `UPDATE agreements SET ended_at = ledger_now(), next_due_at = NULL
    FROM asked WHERE account_id = ANY(closed) AND ended_at IS NULL`,
  'members of accounts': 'DELETE FROM members USING asked WHERE account_id = ANY(closed)',
  'notice settings': 'DELETE FROM notice_settings USING asked WHERE account_id = ANY(closed)',
  closed_accounts: `UPDATE accounts SET name = 'Erased account ' || id, email = 'Erased account ' || id, signed_up_from = NULL,
      closed_at = ledger_now(), suspended_at = coalesce(suspended_at, ledger_now()),
      suspension_reason = coalesce(suspension_reason, 'The account is closed.')
    FROM asked WHERE id = ANY(closed)`,
  switched_off_keys: `UPDATE api_keys SET active = false
    FROM asked WHERE account_id = ANY(closed) AND active AND deleted_at IS NULL`,
});
