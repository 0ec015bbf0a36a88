import { type Transaction, type TransactionOptions, type TransactionRunner } from '#platform/database';

/** A writer's transaction, and the revision it sets on every row it changes. */
export interface Writing extends Transaction {
  readonly revision: string;
  /** Removals in force: none begins or ends before this transaction does. */
  readonly removals: number;
}

/** Any number that no other advisory lock of this database has. */
const writersTurn = 6;

/**
 * Hand-written: the row is changed and read in one statement. The advisory lock is released only when a commit is complete on
 * every server of a distributed catalog; the row can be locked again a moment earlier.
 */
const nextRevisionSql = `
  UPDATE catalog_state SET revision = revision + 1
  FROM (SELECT pg_advisory_xact_lock(${writersTurn})) AS turn RETURNING revision, removals`;

/**
 * Takes the next revision of the catalog for a transaction that changes creators. The row stays locked until the end of the
 * transaction, so that writers take turns and a revision is never visible before a smaller one: followers of the
 * revisions miss nothing.
 */
export async function startWriting(transaction: Transaction): Promise<Writing> {
  const [state] = await transaction.query<Pick<Writing, 'revision' | 'removals'>>(
    'take next revision',
    nextRevisionSql,
  );
  if (!state) throw new Error('catalog_state has no row');
  return { ...transaction, ...state };
}

/** Runs a change of creators in a transaction that is the only writer. */
export function runWriting<Result>(
  transactions: TransactionRunner,
  change: (writing: Writing) => Promise<Result>,
  options: TransactionOptions,
): Promise<Result> {
  return transactions.run(async (transaction) => change(await startWriting(transaction)), options);
}
