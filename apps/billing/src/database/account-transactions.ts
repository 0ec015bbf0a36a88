import {
  type ChangeContext,
  onlyRow,
  type Queryable,
  type Transaction,
  TransactionRunner,
} from '#platform/database';
import { Injectable, Module } from '@nestjs/common';

/** A transaction that has locked the rows of its accounts. */
export interface LockedAccounts extends Transaction {
  /** The instant of every decision in this transaction, read from the database's clock after the lock. */
  readonly now: Date;
  /** The locked accounts: the existing ones of those requested. */
  readonly accountIds: ReadonlySet<string>;
  /** Accounts that were skipped because another transaction has locked them. */
  readonly busyIds: ReadonlySet<string>;
}

export interface LockOptions extends ChangeContext {
  /** Skip accounts that another transaction has locked, so that the others need not wait for them. Default: wait. */
  readonly skipBusy?: boolean;
  /** Longest wait for the locks, in place of the session's `lock_timeout`. */
  readonly lockTimeoutMs?: number;
}

/**
 * `FOR NO KEY UPDATE` lets foreign-key checks of other tables pass while it excludes every other writer. The clock is
 * read above the aggregate, which returns its row only after the last lock: the instant is never before the lock.
 */
const lockAndReadClock = (skipLocked = '', andAll = '') => `
  SELECT ids, ledger_now() AS now${andAll}
  FROM (
    SELECT array_agg(id::text) AS ids
    FROM (SELECT id FROM accounts WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE${skipLocked}) AS locked
  ) AS all_locked`;
const lockAll = lockAndReadClock();
/** Also selects all existing accounts of those requested: a skipped row looks like a missing one. */
const lockFree = lockAndReadClock(
  ' SKIP LOCKED',
  ', (SELECT array_agg(id::text) FROM accounts WHERE id = ANY($1::uuid[])) AS known',
);

interface LockedRow {
  readonly ids: string[] | null;
  readonly known?: string[] | null;
  readonly now: Date;
}

/** Work to be done on locked accounts. */
interface LockedWork<Read, Result> {
  /**
   * Queries sent right after the lock statement, which saves a round trip: they see what they would see after it, but
   * the instant and which accounts exist are not known yet.
   */
  readonly read: (pipelined: Queryable) => Promise<Read>;
  /** An error thrown here rolls everything back. */
  readonly apply: (locked: LockedAccounts, read: Read) => Result | Promise<Result>;
}

/**
 * The only way to write lots, charges, keys or agreements: at READ COMMITTED, locks the account rows in id order, so
 * that replicas never deadlock, reads the clock once, then does the work. Hand-written: the lock and the clock are one
 * statement, served by `accounts_pk`, which shares its round trip with BEGIN and the queries of the work.
 */
@Injectable()
export class AccountTransactions {
  constructor(readonly database: TransactionRunner) {}

  /**
   * An error thrown by `work` rolls everything back. With `remainingMs`, throws `deadline_exceeded` instead of
   * committing after the caller's time-out.
   */
  run<Result>(
    accountIds: Iterable<string>,
    work: (locked: LockedAccounts) => Promise<Result>,
    options: LockOptions = {},
  ): Promise<Result> {
    return this.runReading(accountIds, { read: () => Promise.resolve(), apply: work }, options);
  }

  /** Runs work that begins with queries in such a transaction. */
  runReading<Read, Result>(
    accountIds: Iterable<string>,
    { read, apply }: LockedWork<Read, Result>,
    { skipBusy = false, ...limits }: LockOptions = {},
  ): Promise<Result> {
    const ids = [...new Set(accountIds)];
    return this.database.runPipelined(
      (pipelined) => Promise.all([lock(pipelined, ids, skipBusy), read(pipelined)]),
      (transaction, [locked, alreadyRead]) => apply({ ...transaction, ...locked }, alreadyRead),
      { isolation: 'READ COMMITTED', prepareStatements: true, ...limits },
    );
  }
}

async function lock({ query }: Queryable, ids: string[], skipBusy: boolean) {
  const rows = skipBusy
    ? await query<LockedRow>('lock free accounts', lockFree, [ids])
    : await query<LockedRow>('lock accounts', lockAll, [ids]);
  const { ids: locked, known, now } = onlyRow(rows);
  const accountIds: ReadonlySet<string> = new Set(locked);
  const busyIds: ReadonlySet<string> = new Set(known?.filter((id) => !accountIds.has(id)));
  return { now, accountIds, busyIds };
}

/** The instant by the ledger's clock, for what only reads; what writes gets it with its locks (`AccountTransactions`). */
export async function readClock({ query }: Queryable): Promise<Date> {
  return onlyRow(await query<{ now: Date }>('read clock', 'SELECT ledger_now() AS now')).now;
}

/** Transactions that lock accounts, for every module that changes account data. */
@Module({ providers: [AccountTransactions], exports: [AccountTransactions] })
export class AccountTransactionsModule {}
