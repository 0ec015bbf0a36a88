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
import { closing, erasing, held, type ReportList } from './personal-data.js';
import { findPerson, lockAddress, requireEmail } from '../records/people.js';

const personSql = 'SELECT id, created_at FROM people WHERE email_folded = $1';

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
      const [person] = await query<{ id: string; created_at: Date }>('report person', personSql, [
        emailFolded,
      ]);
      const lists = {} as Record<ReportList, PersonReport[ReportList]>;
      for (const [what, sql] of held) {
        lists[what] = await query(`report ${what}` as const, sql, askedOf(emailFolded, person?.id));
      }
      const shown = person && { ...person, created_at: person.created_at.toISOString() };
      return { email: emailFolded, person: shown ?? null, ...lists };
    };
    return this.reports.snapshot(read, { timeoutMs: reportTimeoutMs });
  }

  /** Throws as `erasePerson` says. */
  async erase(
    { email, close_accounts = false }: ErasePersonRequest,
    by: ChangeContext,
  ): Promise<ErasureReply> {
    const emailFolded = requireEmail(email);
    const erase = async (locked: LockedAccounts): Promise<ErasureReply> => {
      const personId = (await findPerson(locked, emailFolded))?.id ?? null;
      const parameters = [personId];
      const alone = await locked.query<OwnAccount>(
        'select accounts of last owner',
        ownedAloneSql,
        parameters,
      );
      if (alone.length > 0 && !close_accounts) throw lastOwner(alone);
      const closed = alone.map(({ id }) => id);
      const erased = await this.eraseLocked(locked, emailFolded, closed);
      if (Object.values(erased).every((count) => count === 0)) {
        throw notFound('Nothing is held about this email address.');
      }
      const subject = personId ?? sha256(emailFolded);
      await locked.record({ action: 'person.erased', subject, after: erased });
      const payments = await locked.query<{ url: string }>(
        'select payments of person',
        paymentsSql,
        parameters,
      );
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
    const accountIds = [...others, ...(await accountsOf(this.database, emailFolded))];
    const workIfLocked = async (locked: LockedAccounts): Promise<Result> => {
      await lockAddress(locked, emailFolded);
      const present = await accountsOf(locked, emailFolded);
      if (present.every((id) => locked.accountIds.has(id))) return work(locked);
      throw new ServiceError('unavailable', 'The accounts of this person have just changed; try again.');
    };
    return this.overdue.runWithAllVoided(accountIds, workIfLocked, by);
  }

  /** Erases the person of the address, if that is wanted, and closes accounts, within `runLocked`. */
  async eraseLocked(
    locked: LockedAccounts,
    emailFolded: string,
    closed: readonly string[],
    isErased = true,
  ): Promise<ErasureReply['erased']> {
    const asked = askedOf(emailFolded, (await findPerson(locked, emailFolded))?.id, closed);
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
function askedOf(emailFolded: string, personId: string | null = null, closed: readonly string[] = []) {
  return [emailFolded, mailboxOf(emailFolded), personId, closed];
}

async function accountsOf({ query }: Queryable, emailFolded: string): Promise<string[]> {
  const parameters = [emailFolded, mailboxOf(emailFolded)];
  const rows = await query<{ id: string }>('select accounts of address', accountsToLockSql, parameters);
  return rows.map(({ id }) => id);
}

function lastOwner(accounts: readonly OwnAccount[]): ServiceError {
  const named = accounts.slice(0, namedMax).map(({ id, name }) => `${name} (${id})`);
  const others = accounts.length > namedMax ? ` and ${accounts.length - namedMax} more` : '';
  return conflict(
    `This person is the last owner of ${named.join(', ')}${others}. Make another member an owner first, or close these ` +
      'accounts too: "close_accounts": true, --close-accounts.',
  );
}
