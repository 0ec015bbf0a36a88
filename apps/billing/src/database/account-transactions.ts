import { type Queryable, type RemainingMs, type Transaction, TransactionRunner } from '@app/platform';
import { Injectable } from '@nestjs/common';

/** One transaction that holds the rows of its accounts. */
export interface LockedAccounts extends Transaction {
  /** The instant of every decision in this transaction, read from the database's clock after the lock. */
  readonly now: Date;
  /** The accounts that are locked: those that exist, of those asked for. */
  readonly accountIds: ReadonlySet<string>;
  /** Accounts that were skipped because another transaction has locked them. */
  readonly busyIds: ReadonlySet<string>;
}

export interface LockOptions {
  /** Skips accounts that another transaction has locked, so that the others need not wait for them. Default: waits. */
  readonly skipBusy?: boolean;
  /** They are waited for no longer than this, instead of what a session allows. */
  readonly lockTimeoutMs?: number;
  /** Of a caller after whose time-out nothing may be committed. */
  readonly remainingMs?: RemainingMs | undefined;
}

/**
 * `FOR NO KEY UPDATE` lets foreign-key checks of other tables pass while it excludes every other writer. The clock stands
 * above the aggregate, which needs the last lock before it gives its one row: the instant is never before the lock.
 */
const lockAndReadClock = (skipLocked = '', andAll = '') => `
  SELECT ids, ledger_now() AS now${andAll}
  FROM (
    SELECT array_agg(id::text) AS ids
    FROM (SELECT id FROM accounts WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE${skipLocked}) AS locked
  ) AS all_locked`;
const lockAll = lockAndReadClock();
/** With all accounts that there are of those asked for: a row that is skipped looks like one that is not there. */
const lockFree = lockAndReadClock(
  ' SKIP LOCKED',
  ', (SELECT array_agg(id::text) FROM accounts WHERE id = ANY($1::uuid[])) AS known',
);

interface LockedRow {
  readonly ids: string[] | null;
  readonly known?: string[] | null;
  readonly now: Date;
}

/** Something to be done for accounts that are locked. */
interface LockedWork<Read, Result> {
  /**
   * Sent right behind the lock, which saves a round trip: its statements see what they would see after it, but the instant
   * and which of the accounts exist are not known yet. It is handed each account once.
   */
  readonly read: (behind: Queryable, accountIds: string[]) => Promise<Read>;
  /** What it throws rolls everything back. */
  readonly apply: (locked: LockedAccounts, read: Read) => Result | Promise<Result>;
}

/**
 * The only way to write to lots, charges, keys or agreements: locks the account rows in id order, so that replicas never
 * deadlock, then reads the clock once, then does the work, at READ COMMITTED. Hand-written: the lock and the clock are one
 * statement, served by `accounts_pk`, which shares its round trip with BEGIN and what is read.
 */
@Injectable()
export class AccountTransactions {
  constructor(private readonly transactions: TransactionRunner) {}

  /**
   * What `work` throws rolls everything back. With `remainingMs` nothing is committed after the caller has given up:
   * `deadline_exceeded`.
   */
  run<Result>(
    accountIds: Iterable<string>,
    work: (locked: LockedAccounts) => Promise<Result>,
    options: LockOptions = {},
  ): Promise<Result> {
    return this.runReading(accountIds, { read: () => Promise.resolve(), apply: work }, options);
  }

  /** The same for work that begins with reading. */
  runReading<Read, Result>(
    accountIds: Iterable<string>,
    { read, apply }: LockedWork<Read, Result>,
    { skipBusy = false, ...limits }: LockOptions = {},
  ): Promise<Result> {
    const ids = [...new Set(accountIds)];
    return this.transactions.runPipelined(
      (behind) => Promise.all([lock(behind, ids, skipBusy), read(behind, ids)]),
      (transaction, [locked, alreadyRead]) => apply({ ...transaction, ...locked }, alreadyRead),
      { isolation: 'READ COMMITTED', prepareStatements: true, ...limits },
    );
  }
}

async function lock({ query }: Queryable, ids: string[], skipBusy: boolean) {
  const [row] = skipBusy
    ? await query<LockedRow>('lock free accounts', lockFree, [ids])
    : await query<LockedRow>('lock accounts', lockAll, [ids]);
  if (!row) throw new Error('the lock gave no row');
  const accountIds: ReadonlySet<string> = new Set(row.ids);
  const busyIds: ReadonlySet<string> = new Set(row.known?.filter((id) => !accountIds.has(id)));
  return { now: row.now, accountIds, busyIds };
}
