import { Inject, Injectable } from '@nestjs/common';
import { type DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { autocommitQuery } from './autocommit.js';
import { commitInTime, type RemainingMs } from './commit-in-time.js';
import { observed } from './observed-query.js';
import { type Managed, type Query, type Queryable, sendAll, type SqlStatement } from './query.js';
import {
  connectionOf,
  keepsPrepared,
  markInTransaction,
  type RawConnection,
  runOn,
} from './raw-connection.js';

/** A transaction that is open; `query` and `manager` are of its connection. */
export interface Transaction extends Queryable, Managed {
  /** Sends statements together with the commit, which saves their round trip; one that fails rolls everything back. */
  readonly withCommit: (statements: readonly SqlStatement[]) => void;
  /** Calls `note` once everything has been committed; never, when it is rolled back. */
  readonly onCommit: (note: () => void) => void;
}

export interface TransactionOptions {
  /** Default: `READ COMMITTED`. */
  readonly isolation?: 'READ COMMITTED' | 'REPEATABLE READ';
  /** It changes nothing, so nothing is committed, and how it ends does not matter to what it has read. */
  readonly readOnly?: boolean;
  /** Keeps its statements that have parameters prepared, where the connections of the pool may. */
  readonly prepareStatements?: boolean;
  /** What PostgreSQL allows a statement, the waiting for a lock and a transaction without a word, instead of a session's limits. */
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** A statement without an answer for so long ends the connection, instead of what the pool allows. */
  readonly answerTimeoutMs?: number;
  /** Ends the connection, whatever is under way: what waits for it fails as when PostgreSQL goes away. */
  readonly signal?: AbortSignal | undefined;
  /** Of a caller after whose time-out nothing may be committed: `deadline_exceeded`. */
  readonly remainingMs?: RemainingMs | undefined;
}

interface SnapshotOptions {
  /** Its statements may take so long, instead of what a session allows. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Longer than anything that is run alone between two words to its transaction; a replica that hangs keeps the others out for
 * no longer. It holds no row, so it may last longer than transactions that write.
 */
const aloneIdleMs = 30_000;

/** The only way to a transaction on one pool of connections, and its statements outside of any. */
@Injectable()
export class TransactionRunner implements Queryable, Managed {
  /** Statements outside of any transaction, each on whichever connection is free. */
  readonly query: Query;
  /** The same for entities. */
  readonly manager: EntityManager;

  constructor(private readonly dataSource: DataSource) {
    this.query = autocommitQuery(dataSource);
    this.manager = dataSource.manager;
  }

  /** Commits what `work` has done; what it throws rolls everything back. */
  run<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    return this.runPipelined(() => Promise.resolve(), work, options);
  }

  /**
   * The same for work that begins with the statements of `first`: they are sent right behind BEGIN, which saves a round trip.
   * `work` begins when all of them have been answered.
   */
  async runPipelined<First, Result>(
    first: (behind: Queryable) => Promise<First>,
    work: (transaction: Transaction, first: First) => Result | Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const connection = await connectionOf(runner);
      const end = (): void => void connection.end();
      options.signal?.addEventListener('abort', end);
      try {
        const prepares = options.prepareStatements === true && keepsPrepared(this.dataSource);
        return await runOnConnection(runner, queryOn(connection, prepares, options), first, work, options);
      } finally {
        options.signal?.removeEventListener('abort', end);
      }
    } finally {
      await runner.release();
    }
  }

  /** Reads on one snapshot: later writes do not change what it sees, and it blocks none of them. */
  snapshot<Result>(
    read: (transaction: Transaction) => Promise<Result>,
    { timeoutMs, signal }: SnapshotOptions,
  ): Promise<Result> {
    const limits = { statementTimeoutMs: timeoutMs, answerTimeoutMs: timeoutMs };
    return this.run(read, { isolation: 'REPEATABLE READ', readOnly: true, ...limits, signal });
  }

  /**
   * Runs `work` unless another replica runs something under the same lock; `null` then. The lock belongs to a transaction
   * that is idle meanwhile: a replica that dies, or hangs, loses it. So it saves work, it does not protect data, and `work` has
   * done what it did although the lock was lost.
   */
  runAlone<Result>(lock: number, work: () => Promise<Result>): Promise<Result | null> {
    const tryLock = async ({ query }: Transaction): Promise<Result | null> => {
      const sql = 'SELECT pg_try_advisory_xact_lock($1) AS locked';
      const [row] = await query<{ locked: boolean }>('try advisory lock', sql, [lock]);
      return row?.locked ? work() : null;
    };
    return this.run(tryLock, { readOnly: true, idleTimeoutMs: aloneIdleMs });
  }
}

function queryOn(
  connection: RawConnection,
  prepares: boolean,
  { answerTimeoutMs }: TransactionOptions,
): Query {
  return observed((name, text, parameters) =>
    runOn(connection, {
      ...(prepares && parameters ? { name } : {}),
      text,
      values: parameters ?? [],
      ...(answerTimeoutMs === undefined ? {} : { query_timeout: answerTimeoutMs }),
    }),
  );
}

async function runOnConnection<First, Result>(
  runner: QueryRunner,
  query: Query,
  first: (behind: Queryable) => Promise<First>,
  work: (transaction: Transaction, first: First) => Result | Promise<Result>,
  options: TransactionOptions,
): Promise<Result> {
  const notes: (() => void)[] = [];
  const last: SqlStatement[] = [];
  const transaction: Transaction = {
    query,
    manager: runner.manager,
    withCommit: (statements) => last.push(...statements),
    onCommit: (note) => notes.push(note),
  };
  try {
    const [, answered] = await Promise.all([query('begin', beginSql(options)), first({ query })]);
    markInTransaction(runner);
    const result = await work(transaction, answered);
    if (options.readOnly) {
      await rollBack(query);
      return result;
    }
    if (options.remainingMs) await commitInTime(query, options.remainingMs);
    // After a statement that failed, PostgreSQL takes the commit as a rollback.
    await Promise.all([...sendAll(query, last), query('commit', 'COMMIT')]);
    for (const note of notes) note();
    return result;
  } catch (error) {
    await rollBack(query);
    throw error;
  }
}

/** A connection that is gone has rolled back already. */
async function rollBack(query: Query): Promise<void> {
  await query('rollback', 'ROLLBACK').catch(() => undefined);
}

/** One text, so one message: the limits hold from the first statement on. */
function beginSql({ isolation = 'READ COMMITTED', readOnly = false, ...limits }: TransactionOptions): string {
  const settings = {
    statement_timeout: limits.statementTimeoutMs,
    lock_timeout: limits.lockTimeoutMs,
    idle_in_transaction_session_timeout: limits.idleTimeoutMs,
  };
  return [
    `BEGIN ISOLATION LEVEL ${isolation}${readOnly ? ' READ ONLY' : ''}`,
    ...Object.entries(settings).flatMap(([name, ms]) =>
      ms === undefined ? [] : `SET LOCAL ${name} = ${ms}`,
    ),
  ].join('; ');
}

/** The token of the `TransactionRunner` of a named pool; of the main one it is the class itself. */
export function getTransactionRunnerToken(pool?: string): string | typeof TransactionRunner {
  return pool === undefined ? TransactionRunner : `${pool}TransactionRunner`;
}

/** Injects the `TransactionRunner` of a named pool. */
export function InjectTransactionRunner(pool: string): ParameterDecorator {
  return Inject(getTransactionRunnerToken(pool));
}
