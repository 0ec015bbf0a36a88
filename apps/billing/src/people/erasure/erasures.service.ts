import {
  erasedKinds,
  type ErasePersonRequest,
  type ErasureReply,
  type ErasureRest,
  type ErasureView,
  type ListErasuresRequest,
  mailboxOf,
  type Page,
  type PersonReport,
  type PersonRequest,
  type RepeatErasureRequest,
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
import { MoreThan } from 'typeorm';
import { ApiKeysService } from '../../accounts/keys/api-keys.service.js';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { reportsPool } from '../../database/data-source.js';
import { lockAddress, requireEmail } from '../records/email-addresses.js';
import { PeopleRepository } from '../records/people.repository.js';
import { type Person } from '../records/person.entity.js';
import { Erasure } from './erasure.entity.js';
import * as statements from './statements.js';

/** Accounts of the person may be added while the others are locked. */
const triesMax = 5;
const namedMax = 20;
/** In each list of a report. */
const listMax = 1_000;
/** Below the 5 s after which callers time out. */
const reportTimeoutMs = 4_000;

interface WantedErasure {
  readonly emailFolded: string;
  readonly closeAccounts: boolean;
}

/** An account that would be without an owner. */
interface OwnedAccount {
  readonly id: string;
  readonly name: string;
}

/** What is kept of a person. */
interface Kept {
  readonly orders: number;
  readonly keys: number;
  /** Payments at Stripe, at most 100. */
  readonly payments: readonly string[];
}

/**
 * Reports what is held about people, and erases it. What the ledger needs stays, under a pseudonym; the same address may sign up
 * again as a stranger.
 */
@Injectable()
export class ErasuresService {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly people: PeopleRepository,
    private readonly log: AdminLogRepository,
    private readonly keys: ApiKeysService,
  ) {}

  /** Throws `invalid_request` for what is no address. */
  report({ email }: PersonRequest): Promise<PersonReport> {
    const emailFolded = requireEmail(email);
    const read = async (snapshot: Queryable): Promise<PersonReport> => {
      const [person] = await snapshot.query<Pick<Person, 'id'>>('report person', statements.person, [
        emailFolded,
      ]);
      const asked = [emailFolded, mailboxOf(emailFolded), person?.id ?? null];
      const lists: Record<string, object[]> = {};
      for (const [what, sql] of statements.held) {
        lists[what] = await snapshot.query(`report ${what}` as const, `${sql} LIMIT ${listMax}`, asked);
      }
      // The reply is sent as JSON, in which times are texts.
      return { email: emailFolded, person: person ?? null, ...lists } as object as PersonReport;
    };
    return this.reports.snapshot(read, { timeoutMs: reportTimeoutMs });
  }

  /** Throws as `erasePerson` says. */
  async erase({ email, close_accounts }: ErasePersonRequest, by: ChangeContext = {}): Promise<ErasureReply> {
    const wanted = { emailFolded: requireEmail(email), closeAccounts: close_accounts === true };
    const reply = await this.eraseAddress(wanted, by);
    if (!reply) throw new ServiceError('not_found', 'Nothing is held about this email address.');
    return reply;
  }

  /** The same by the hash of an address. Counts 0 when nobody is held who came before the erasure. */
  async repeat(request: RepeatErasureRequest, by: ChangeContext = {}): Promise<ErasureReply> {
    const { email_hash, erased_at, close_accounts: closeAccounts } = request;
    const [found] = await this.database.query<{ email: string }>(
      'find address of erasure',
      statements.addressOfHash,
      [email_hash, new Date(erased_at)],
    );
    const reply = found ? await this.eraseAddress({ emailFolded: found.email, closeAccounts }, by) : null;
    return reply ?? { erased: countsOf({}), remains: [] };
  }

  async list({ limit, cursor }: ListErasuresRequest): Promise<Page<ErasureView>> {
    const found = await this.database.manager.find(Erasure, {
      ...(cursor !== undefined && { where: { emailHash: MoreThan(cursor) } }),
      order: { emailHash: 'ASC' },
      take: limit + 1,
    });
    const items = found.slice(0, limit).map(({ emailHash, erasedAt, closeAccounts }) => ({
      email_hash: emailHash,
      erased_at: erasedAt.toISOString(),
      close_accounts: closeAccounts,
    }));
    return { items, next_cursor: found.length > limit ? (items.at(-1)?.email_hash ?? null) : null };
  }

  /** `null`: nothing is held. */
  private async eraseAddress(wanted: WantedErasure, by: ChangeContext): Promise<ErasureReply | null> {
    for (let tries = 0; tries < triesMax; tries++) {
      const accountIds = await accountsOf(this.database, wanted.emailFolded);
      const erase = (locked: LockedAccounts) => this.eraseLocked(locked, wanted);
      const done = await this.transactions.run(accountIds, erase, by);
      if (done !== 'accounts_changed') return done;
    }
    throw new ServiceError('unavailable', 'The accounts of this person keep changing; try again shortly.');
  }

  private async eraseLocked(
    locked: LockedAccounts,
    { emailFolded, closeAccounts }: WantedErasure,
  ): Promise<ErasureReply | 'accounts_changed' | null> {
    await lockAddress(locked, emailFolded);
    const accountIds = await accountsOf(locked, emailFolded);
    if (accountIds.some((id) => !locked.accountIds.has(id))) return 'accounts_changed';
    const personId = (await this.people.find(locked, emailFolded))?.id ?? null;
    const alone = await locked.query<OwnedAccount>('select accounts of last owner', statements.ownedAlone, [
      personId,
    ]);
    if (alone.length > 0 && !closeAccounts) throw lastOwner(alone);

    const asked = [emailFolded, mailboxOf(emailFolded), personId];
    const erased = countsOf({
      ...(await runAll(locked, 'erase', statements.erasing, asked)),
      ...(await this.close(
        locked,
        alone.map(({ id }) => id),
        emailFolded,
      )),
    });
    if (Object.values(erased).every((count) => count === 0)) return null;
    const emailHash = sha256(emailFolded);
    await locked.query('add erasure', statements.addErasure, [emailHash, locked.now, closeAccounts]);
    await locked.record({ action: 'person.erased', subject: personId ?? emailHash, after: erased });
    return { erased, remains: await remainsOf(locked, personId) };
  }

  /** Closes accounts that would have no member left, and erases the address from the log of operators. */
  private async close(locked: LockedAccounts, ids: readonly string[], emailFolded: string): Promise<Counts> {
    locked.onCommit(() => {
      for (const id of ids) void this.keys.announceAll(id);
    });
    const closed = await runAll(locked, 'close', statements.closing, [ids]);
    const ofAccounts = await this.log.eraseAccounts(locked, ids);
    return { ...closed, log_entries: ofAccounts + (await this.log.erase(locked, [emailFolded])) };
  }
}

type Counts = Readonly<Record<string, number>>;

async function runAll(
  { query }: LockedAccounts,
  verb: 'erase' | 'close',
  all: statements.Statements,
  parameters: unknown[],
): Promise<Counts> {
  const counts: Record<string, number> = {};
  for (const [what, sql] of all) {
    counts[what] = (await query(`${verb} ${what}` as const, sql, parameters)).length;
  }
  return counts;
}

async function accountsOf({ query }: Queryable, emailFolded: string): Promise<string[]> {
  const parameters = [emailFolded, mailboxOf(emailFolded)];
  const rows = await query<{ id: string }>(
    'select accounts of address',
    statements.accountsToLock,
    parameters,
  );
  return rows.map(({ id }) => id);
}

/** What is kept after an erasure, and why. */
async function remainsOf({ query }: Queryable, personId: string | null): Promise<ErasureRest[]> {
  const [kept] = await query<Kept>('count rest of person', statements.kept, [personId]);
  const { orders = 0, keys = 0, payments = [] } = kept ?? {};
  const remains: ErasureRest[] = [
    {
      what: 'ledger',
      count: null,
      why: 'Credits, charges and entries name accounts, keys and lots, and no person.',
    },
    { what: 'orders', count: orders, why: 'Records of payments; they name the person by a random id.' },
    { what: 'keys', count: keys, why: 'API keys that they created; they name the person by a pseudonym.' },
    {
      what: 'stripe',
      count: payments.length,
      why: 'Stripe keeps its own records of payments. Erase them there: https://docs.stripe.com/privacy/deletion-requests',
      urls: payments.map((payment) => `https://dashboard.stripe.com/payments/${payment}`),
    },
    {
      what: 'backups',
      count: null,
      why: 'Backups hold the data until they expire. Repeat the erasures after restoring one.',
    },
  ];
  return remains.filter(({ count }) => count !== 0);
}

function countsOf(counts: Counts): ErasureReply['erased'] {
  const entries = erasedKinds.map((kind) => [kind, counts[kind] ?? 0]);
  return Object.fromEntries(entries) as ErasureReply['erased'];
}

function lastOwner(accounts: readonly OwnedAccount[]): ServiceError {
  const named = accounts.slice(0, namedMax).map(({ id, name }) => `${name} (${id})`);
  const others = accounts.length > namedMax ? ` and ${accounts.length - namedMax} more` : '';
  return new ServiceError(
    'conflict',
    `This person is the last owner of ${named.join(', ')}${others}. Make another member an owner first, or close these ` +
      'accounts too: "close_accounts": true, --close-accounts.',
  );
}
