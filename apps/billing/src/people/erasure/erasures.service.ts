import {
  erasedKinds,
  type ErasePersonRequest,
  type ErasureReply,
  type ErasureRest,
  type ErasureView,
  type ListErasuresRequest,
  mailboxOf,
  type OwnAccount,
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
/** Below the 5 s after which callers time out. */
const reportTimeoutMs = 4_000;

/** What an erasure removes, and how much of it. */
type Counts = Readonly<Record<string, number>>;

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
    const read = async ({ query }: Queryable): Promise<PersonReport> => {
      const [person = null] = await query<Pick<Person, 'id'>>('report person', statements.person, [
        emailFolded,
      ]);
      const lists: Record<string, object[]> = {};
      for (const [what, sql] of statements.held) {
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
    const reply = await this.eraseAddress(requireEmail(email), close_accounts, by);
    if (!reply) throw new ServiceError('not_found', 'Nothing is held about this email address.');
    return reply;
  }

  /** The same by the hash of an address. Counts 0 when nobody is held who came before the erasure. */
  async repeat(request: RepeatErasureRequest, by: ChangeContext = {}): Promise<ErasureReply> {
    const { email_hash, erased_at, close_accounts } = request;
    const [found] = await this.database.query<{ email: string }>(
      'find address of erasure',
      statements.addressOfHash,
      [email_hash, new Date(erased_at)],
    );
    const reply = found ? await this.eraseAddress(found.email, close_accounts, by) : null;
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
  private async eraseAddress(
    emailFolded: string,
    closeAccounts: boolean,
    by: ChangeContext,
  ): Promise<ErasureReply | null> {
    for (let tries = 0; tries < triesMax; tries++) {
      const accountIds = await accountsOf(this.database, emailFolded);
      const erase = (locked: LockedAccounts) => this.eraseLocked(locked, emailFolded, closeAccounts);
      const done = await this.transactions.run(accountIds, erase, by);
      if (done !== 'accounts_changed') return done;
    }
    throw new ServiceError('unavailable', 'The accounts of this person keep changing; try again shortly.');
  }

  private async eraseLocked(
    locked: LockedAccounts,
    emailFolded: string,
    closeAccounts: boolean,
  ): Promise<ErasureReply | 'accounts_changed' | null> {
    await lockAddress(locked, emailFolded);
    const accountIds = await accountsOf(locked, emailFolded);
    if (accountIds.some((id) => !locked.accountIds.has(id))) return 'accounts_changed';
    const person = await this.people.find(locked, emailFolded);
    const personId = person?.id ?? null;
    const alone = await locked.query<OwnAccount>('select accounts of last owner', statements.ownedAlone, [
      personId,
    ]);
    if (alone.length > 0 && !closeAccounts) throw lastOwner(alone);

    const closed = alone.map(({ id }) => id);
    const counts: Record<string, number> = {};
    for (const [what, sql] of statements.erasing) {
      const rows = await locked.query(`erase ${what}` as const, sql, askedOf(emailFolded, person, closed));
      counts[what] = rows.length;
    }
    const ofAccounts = await this.log.eraseAccounts(locked, closed);
    const log_entries = ofAccounts + (await this.log.erase(locked, [emailFolded]));
    const erased = countsOf({ ...counts, log_entries });
    if (Object.values(erased).every((count) => count === 0)) return null;
    locked.onCommit(() => {
      for (const id of closed) void this.keys.announceAll(id);
    });
    const emailHash = sha256(emailFolded);
    await locked.query('add erasure', statements.addErasure, [emailHash, locked.now, closeAccounts]);
    await locked.record({ action: 'person.erased', subject: personId ?? emailHash, after: erased });
    return { erased, remains: await remainsOf(locked, personId) };
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
  const sql = statements.accountsToLock;
  return (await query<{ id: string }>('select accounts of address', sql, parameters)).map(({ id }) => id);
}

/** What is kept after an erasure, and why. */
async function remainsOf({ query }: Queryable, personId: string | null): Promise<ErasureRest[]> {
  type Kept = { readonly orders: number; readonly keys: number; readonly payments: readonly string[] };
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

function lastOwner(accounts: readonly OwnAccount[]): ServiceError {
  const named = accounts.slice(0, namedMax).map(({ id, name }) => `${name} (${id})`);
  const others = accounts.length > namedMax ? ` and ${accounts.length - namedMax} more` : '';
  return new ServiceError(
    'conflict',
    `This person is the last owner of ${named.join(', ')}${others}. Make another member an owner first, or close these ` +
      'accounts too: "close_accounts": true, --close-accounts.',
  );
}
