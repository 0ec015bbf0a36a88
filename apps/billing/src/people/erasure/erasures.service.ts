import {
  erasedKinds,
  type ErasePersonRequest,
  type ErasureReply,
  mailboxOf,
  type OwnAccount,
  type PersonReport,
  type PersonRequest,
  ServiceError,
} from '#contracts';
import { sha256 } from '#platform';
import {
  AdminLogRepository,
  type ChangeContext,
  InjectTransactionRunner,
  type Queryable,
  TransactionRunner,
} from '#platform/database';
import { Injectable } from '@nestjs/common';
import { conflict, notFound } from '../../errors.js';
import { ApiKeysService } from '../../accounts/keys/api-keys.service.js';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { AdjustmentsService } from '../../credits/adjustments.service.js';
import { reportsPool } from '../../database/data-source.js';
import { OverdueCharges } from '../../ledger/charges/overdue-charges.js';
import { findPerson, lockAddress, requireEmail } from '../records/people.js';
import { type Person } from '../records/person.entity.js';

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

const personSql = 'SELECT id, created_at FROM people WHERE email_folded = $1';

/** The lists of a report. */
const held: readonly Named[] = [
  list('accounts', 'id, name, created_at, signed_up_from', 'accounts USING (email)'),
  list(
    'sign_ins',
    'created_at, used_at, attempts',
    'sign_ins ON email_folded = email OR sign_ins.person_id = asked.person_id',
  ),
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
const erasing: readonly Named[] = [
  change(
    'networks of sign-ups',
    `UPDATE accounts SET signed_up_from = NULL FROM asked WHERE signed_up_from IS NOT NULL AND (accounts.email = asked.email
       OR id IN (SELECT account_id FROM members WHERE members.person_id = asked.person_id AND role = 'owner'))`,
  ),
  change(
    'sign_ins',
    'DELETE FROM sign_ins USING asked WHERE email_folded = email OR sign_ins.person_id = asked.person_id',
  ),
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
    `UPDATE people SET email_folded = 'Erased person ' || id, next_check_at = ledger_now()
     FROM asked WHERE id = person_id`,
  ),
];

/** Statements for accounts that are closed, which keep no name. */
const closing: readonly Named[] = [
  ofClosed('sessions of accounts', 'sessions SET expires_at = ledger_now()', 'expires_at > ledger_now()'),
  ofClosed('invitations to accounts', 'invitations SET ended_at = ledger_now()', 'ended_at IS NULL'),
  ofClosed('agreements', 'agreements SET ended_at = ledger_now(), next_due_at = NULL', 'ended_at IS NULL'),
  change('members of accounts', 'DELETE FROM members USING asked WHERE account_id = ANY(closed)'),
  change('notice settings', 'DELETE FROM notice_settings USING asked WHERE account_id = ANY(closed)'),
  change(
    'closed_accounts',
    `UPDATE accounts SET name = 'Erased account ' || id, email = 'Erased account ' || id, signed_up_from = NULL,
       closed_at = ledger_now(), suspended_at = coalesce(suspended_at, ledger_now()),
       suspension_reason = coalesce(suspension_reason, 'The account is closed.')
     FROM asked WHERE id = ANY(closed)`,
  ),
  ofClosed('switched_off_keys', 'api_keys SET active = false', 'active AND deleted_at IS NULL'),
];

/** The accounts to lock before the address $1 with the mailbox $2 is erased. */
const accountsToLockSql = `
  SELECT account_id AS id FROM members JOIN people ON people.id = person_id WHERE email_folded = $1
  UNION SELECT id FROM accounts WHERE email = $1
  UNION SELECT account_id FROM invitations WHERE mailbox = $2 AND email_folded = $1`;

/** Accounts whose only owner is the person. */
const ownedAloneSql = `
  SELECT accounts.id, accounts.name
  FROM members AS own JOIN accounts ON accounts.id = own.account_id
  WHERE own.person_id = $1 AND own.role = 'owner' AND NOT EXISTS (
    SELECT FROM members AS others
    WHERE others.account_id = own.account_id AND others.role = 'owner' AND others.person_id <> $1
  )
  ORDER BY accounts.created_at, accounts.id`;

const paymentsSql = `
  SELECT 'https://dashboard.stripe.com/payments/' || payment_intent_id AS url FROM orders
  WHERE person_id = $1 AND payment_intent_id IS NOT NULL ORDER BY ordered_at DESC LIMIT 100`;

/** Reason of the adjustment by which the credits of a closed account lapse; its owners have read it. */
const closedReason = 'Account closed';

/** Accounts of the person may be added while the others are locked. */
const triesMax = 5;
const namedMax = 20;
/** Below the 5 s after which callers time out. */
const reportTimeoutMs = 4_000;

/**
 * Reports what is held about people, and erases it. What the ledger needs stays, under a pseudonym; the same address may sign up
 * again as a stranger.
 */
@Injectable()
export class ErasuresService {
  constructor(
    private readonly overdue: OverdueCharges,
    private readonly adjustments: AdjustmentsService,
    private readonly database: TransactionRunner,
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly log: AdminLogRepository,
    private readonly keys: ApiKeysService,
  ) {}

  /** Throws `invalid_request` for what is no address. */
  report({ email }: PersonRequest): Promise<PersonReport> {
    const emailFolded = requireEmail(email);
    const read = async ({ query }: Queryable): Promise<PersonReport> => {
      const [person = null] = await query<Pick<Person, 'id'>>('report person', personSql, [emailFolded]);
      const lists: Record<string, object[]> = {};
      for (const [what, sql] of held) {
        lists[what] = await query(`report ${what}` as const, sql, askedOf(emailFolded, person));
      }
      // The reply is sent as JSON, in which times are texts.
      return { email: emailFolded, person, ...lists } as object as PersonReport;
    };
    return this.reports.snapshot(read, { timeoutMs: reportTimeoutMs });
  }

  /** Throws as `erasePerson` says. */
  async erase(
    { email, close_accounts = false }: ErasePersonRequest,
    by: ChangeContext = {},
  ): Promise<ErasureReply> {
    const emailFolded = requireEmail(email);
    const erase = async (locked: LockedAccounts): Promise<ErasureReply> => {
      const personId = (await findPerson(locked, emailFolded))?.id ?? null;
      const alone = await locked.query<OwnAccount>('select accounts of last owner', ownedAloneSql, [
        personId,
      ]);
      if (alone.length > 0 && !close_accounts) throw lastOwner(alone);
      const closed = alone.map(({ id }) => id);
      const erased = await this.eraseLocked(locked, emailFolded, { isErased: true, closed });
      if (Object.values(erased).every((count) => count === 0)) {
        throw notFound('Nothing is held about this email address.');
      }
      const subject = personId ?? sha256(emailFolded);
      await locked.record({ action: 'person.erased', subject, after: erased });
      const payments = await locked.query<{ url: string }>('select payments of person', paymentsSql, [
        personId,
      ]);
      return { erased, payment_urls: payments.map(({ url }) => url) };
    };
    return this.runLocked(emailFolded, [], erase, by);
  }

  /** Runs `work` under the locks of the address and of its person's accounts, and of others, whose overdue charges are voided. */
  async runLocked<Result>(
    emailFolded: string,
    others: readonly string[],
    work: (locked: LockedAccounts) => Promise<Result>,
    by: ChangeContext,
  ): Promise<Result> {
    for (let tries = 0; tries < triesMax; tries++) {
      const accountIds = [...others, ...(await accountsOf(this.database, emailFolded))];
      const workIfLocked = async (locked: LockedAccounts): Promise<{ result: Result } | null> => {
        await lockAddress(locked, emailFolded);
        const present = await accountsOf(locked, emailFolded);
        return present.every((id) => locked.accountIds.has(id)) ? { result: await work(locked) } : null;
      };
      const done = await this.overdue.runWithAllVoided(accountIds, workIfLocked, by);
      if (done) return done.result;
    }
    throw new ServiceError('unavailable', 'The accounts of this person keep changing; try again shortly.');
  }

  /** Erases the person of the address, if that is wanted, and closes accounts, within `runLocked`. */
  async eraseLocked(
    locked: LockedAccounts,
    emailFolded: string,
    { isErased, closed }: { readonly isErased: boolean; readonly closed: readonly string[] },
  ): Promise<ErasureReply['erased']> {
    const asked = askedOf(emailFolded, await findPerson(locked, emailFolded), closed);
    const counts: Record<string, number> = {};
    for (const id of closed) await this.adjustments.takeAll(locked, id, closedReason);
    for (const [what, sql] of isErased ? [...erasing, ...closing] : closing) {
      counts[what] = (await locked.query(`erase ${what}` as const, sql, asked)).length;
    }
    counts.log_entries =
      (await this.log.eraseAccounts(locked, closed)) +
      (isErased ? await this.log.erase(locked, [emailFolded]) : 0);
    locked.onCommit(() => {
      for (const id of closed) void this.keys.announceAll(id);
    });
    return Object.fromEntries(erasedKinds.map((kind) => [kind, counts[kind] ?? 0])) as ErasureReply['erased'];
  }
}

/** The parameters of the statements about a person. */
function askedOf(
  emailFolded: string,
  person: Pick<Person, 'id'> | null,
  closed: readonly string[] = [],
): unknown[] {
  return [emailFolded, mailboxOf(emailFolded), person?.id ?? null, closed];
}

async function accountsOf({ query }: Queryable, emailFolded: string): Promise<string[]> {
  const parameters = [emailFolded, mailboxOf(emailFolded)];
  const sql = accountsToLockSql;
  return (await query<{ id: string }>('select accounts of address', sql, parameters)).map(({ id }) => id);
}

function lastOwner(accounts: readonly OwnAccount[]): ServiceError {
  const named = accounts.slice(0, namedMax).map(({ id, name }) => `${name} (${id})`);
  const others = accounts.length > namedMax ? ` and ${accounts.length - namedMax} more` : '';
  return conflict(
    `This person is the last owner of ${named.join(', ')}${others}. Make another member an owner first, or close these ` +
      'accounts too: "close_accounts": true, --close-accounts.',
  );
}
