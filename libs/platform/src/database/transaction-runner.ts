import { ServiceError } from '#contracts';
import { Inject, Injectable } from '@nestjs/common';
import { type DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import {
  autocommitQuery,
  connectionOf,
  keepsPrepared,
  markInTransaction,
  type RawConnection,
  runOn,
  sendTogether,
} from './raw-connection.js';
import { type AdminChange, type OperatorsRequest, recordChange } from './admin-log.js';
import { observed } from './observed-query.js';
import { type Managed, type Query, type Queryable, type StatementName } from './query.js';

/** An open transaction; `query` and `manager` use its connection. */
export interface Transaction extends Queryable, Managed {
  /** `send` sends statements together with the commit, which saves a round trip; if one fails, everything is rolled back. */
  readonly withCommit: (send: () => Promise<unknown>) => void;
  /** Calls `listener` after the commit; never after a rollback. */
  readonly onCommit: (listener: () => void) => void;
  /** Adds a change to the log of operators when an operator has asked for it; otherwise does nothing. */
  readonly record: (change: AdminChange) => Promise<void>;
}

/** The operator who requested a change and the time left, as its message says. */
export interface ChangeContext {
  /** Time left until the caller's time-out, after which nothing is committed: `deadline_exceeded`. */
  readonly remainingMs?: RemainingMs | undefined;
  /** The operator who has asked; `undefined`: it was no operator. */
  readonly operator?: OperatorsRequest | undefined;
}

export interface TransactionOptions extends ChangeContext {
  /** Default: `READ COMMITTED`. */
  readonly isolation?: 'READ COMMITTED' | 'REPEATABLE READ';
  /** Read-only: nothing is committed, and the end of the transaction does not affect what was read. */
  readonly readOnly?: boolean;
  /**
   * Prepares statements that have parameters, where the pool allows it, and plans each once for all values, by its
   * indexes. For statements that an index serves whatever their values.
   */
  readonly prepareStatements?: boolean;
  /** Reads no table whole that has an index: for statements that look up many keys, in tables that may have just grown. */
  readonly byIndexes?: boolean;
  /** PostgreSQL's limits for a statement, a lock wait and idling in the transaction, in place of the session's. */
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  readonly idleTimeoutMs?: number;
  /** Time without an answer to a statement after which the connection is closed, in place of the pool's. */
  readonly answerTimeoutMs?: number;
  /** Closes the connection at once: pending statements fail as on a lost connection. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Longer than any work under the lock leaves its transaction idle, and the longest time for which a hanging replica
 * blocks the others. The transaction locks no row, so it may be idle longer than one that writes.
 */
const aloneIdleMs = 30_000;

/** The only way to run transactions, and statements outside them, on one connection pool. */
@Injectable()
export class TransactionRunner implements Queryable, Managed {
  /** Statements outside a transaction, each on any free connection. */
  readonly query: Query;
  /** Entities outside a transaction. */
  readonly manager: EntityManager;

  constructor(private readonly dataSource: DataSource) {
    this.query = autocommitQuery(dataSource);
    this.manager = dataSource.manager;
  }

  /** Commits the changes of `work`; an error thrown by it rolls everything back. */
  run<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    return this.runPipelined(() => Promise.resolve(), work, options);
  }

  /**
   * Runs work that begins with the statements of `first`: they are sent right after BEGIN, which saves a round
   * trip. `work` begins when all of them have been answered.
   */
  async runPipelined<First, Result>(
    first: (pipelined: Queryable) => Promise<First>,
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
        const query = queryOn(connection, prepares, options);
        // A lost connection has rolled back already, and must not be lent again.
        const rollBack = () => query('rollback', 'ROLLBACK').then(() => undefined, end);
        return await runOnConnection({ runner, connection, query, rollBack }, first, work, {
          ...options,
          prepareStatements: prepares,
        });
      } finally {
        options.signal?.removeEventListener('abort', end);
      }
    } finally {
      await runner.release();
    }
  }

  /**
   * Reads on one snapshot: it sees no later writes and blocks none. `timeoutMs`: limit of each statement, in place of the session's.
   */
  snapshot<Result>(
    read: (transaction: Transaction) => Promise<Result>,
    { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<Result> {
    const limits = { statementTimeoutMs: timeoutMs, answerTimeoutMs: timeoutMs };
    return this.run(read, { isolation: 'REPEATABLE READ', readOnly: true, ...limits, signal });
  }

  /**
   * Reads by statements that are prepared where the pool allows it, and planned once, as `prepareStatements` says. For tables with
   * partitions, which take longer to plan for than to read from.
   */
  readPlannedOnce<Result>(read: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return this.run(read, { readOnly: true, prepareStatements: true });
  }

  /**
   * Runs `work` unless another replica holds the same lock; then returns `null`. The lock belongs to a transaction that
   * is idle meanwhile: a replica that dies or hangs loses it. So it saves work but does not protect data: `work` may
   * run to its end although the lock was lost. `idleTimeoutMs`: how long it may take; 0: any time.
   */
  runAlone<Result>(
    lock: number,
    work: () => Promise<Result>,
    { idleTimeoutMs = aloneIdleMs }: Pick<TransactionOptions, 'idleTimeoutMs'> = {},
  ): Promise<Result | null> {
    const tryLock = async ({ query }: Transaction): Promise<Result | null> => {
      const sql = 'SELECT pg_try_advisory_xact_lock($1) AS locked';
      const [row] = await query<{ locked: boolean }>('try advisory lock', sql, [lock]);
      return row?.locked ? work() : null;
    };
    return this.run(tryLock, { readOnly: true, idleTimeoutMs });
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

interface LentConnection extends Queryable {
  readonly runner: QueryRunner;
  readonly connection: RawConnection;
  readonly rollBack: () => Promise<void>;
}

async function runOnConnection<First, Result>(
  { runner, connection, query, rollBack }: LentConnection,
  first: (pipelined: Queryable) => Promise<First>,
  work: (transaction: Transaction, first: First) => Result | Promise<Result>,
  options: TransactionOptions,
): Promise<Result> {
  const onCommit: (() => void)[] = [];
  const last: (() => Promise<unknown>)[] = [];
  const transaction: Transaction = {
    query,
    manager: runner.manager,
    withCommit: (send) => last.push(send),
    onCommit: (listener) => onCommit.push(listener),
    record: async (change) => {
      if (options.operator) await recordChange(runner, options.operator, change);
    },
  };
  try {
    const [, answered] = await sendTogether(connection, () =>
      Promise.all([query('begin', beginSql(options)), first({ query })]),
    );
    markInTransaction(runner);
    const result = await work(transaction, answered);
    if (options.readOnly) {
      await rollBack();
      return result;
    }
    if (options.remainingMs) await commitInTime(query, options.remainingMs);
    // After a failed statement, PostgreSQL treats COMMIT as ROLLBACK.
    await sendTogether(connection, () =>
      Promise.all([...last.map((send) => send()), query('commit', 'COMMIT')]),
    );
    for (const listener of onCommit) listener();
    return result;
  } catch (error) {
    await rollBack();
    throw error;
  }
}

/**
 * PostgreSQL never keeps the plan of `= ANY($1)` by itself, because it takes the array for a long one; and a plan that is
 * kept must not be the scan that is right for a table as small as it is in the first minutes.
 */
const byIndexes = { enable_seqscan: 'off' };
const plannedOnce = { ...byIndexes, plan_cache_mode: 'force_generic_plan' };

/** Sent as one string in one message, so that the settings apply from the first statement on. */
function beginSql({
  isolation = 'READ COMMITTED',
  readOnly = false,
  ...options
}: TransactionOptions): string {
  const settings = {
    statement_timeout: options.statementTimeoutMs,
    lock_timeout: options.lockTimeoutMs,
    idle_in_transaction_session_timeout: options.idleTimeoutMs,
    ...(options.byIndexes ? byIndexes : {}),
    ...(options.prepareStatements ? plannedOnce : {}),
  };
  return [
    `BEGIN ISOLATION LEVEL ${isolation}${readOnly ? ' READ ONLY' : ''}`,
    ...Object.entries(settings).flatMap(([name, value]) =>
      value === undefined ? [] : `SET LOCAL ${name} = ${value}`,
    ),
  ].join('; ');
}

/** Injection token of a named pool's `TransactionRunner`; that of the main pool is the class itself. */
export function getTransactionRunnerToken(pool?: string): string | typeof TransactionRunner {
  return pool === undefined ? TransactionRunner : `${pool}TransactionRunner`;
}

/** Injects the `TransactionRunner` of a named pool. */
export function InjectTransactionRunner(pool: string): ParameterDecorator {
  return Inject(getTransactionRunnerToken(pool));
}

/** Time until the caller's time-out, ms; negative after it. */
export type RemainingMs = () => number;

/** A change is refused this long before its caller's time-out: the reply takes time too, and clocks differ slightly. */
const marginMs = 100;

const endWhenIdle = `
  SELECT set_config(name, least($1::integer, nullif(setting::integer, 0))::text, true)
  FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'`;

/**
 * The last statement of a change before its COMMIT: throws `deadline_exceeded` when the caller has timed out, or is
 * about to. A process paused between this and the COMMIT can't commit later either, because PostgreSQL has ended its
 * session by then. So a change reported as failed is never applied, and never applied after newer ones.
 */
export async function commitInTime(
  query: (name: StatementName, sql: string, parameters: unknown[]) => Promise<unknown>,
  remainingMs: RemainingMs,
): Promise<void> {
  for (;;) {
    const asked = remainingMs();
    if (asked <= marginMs) {
      const sentence = 'The change could not be completed in time; try again shortly.';
      throw new ServiceError('deadline_exceeded', sentence);
    }
    await query('end session when idle', endWhenIdle, [Math.ceil(asked - marginMs)]);
    // PostgreSQL counts from its answer. If that took longer than the margin, the session would live too long.
    if (asked - remainingMs() < marginMs) return;
  }
}
