import { ServiceError } from '@app/contracts';
import { type DataSource } from 'typeorm';
import { type LockedAccounts, type LockOptions, withLockedAccounts } from '../database/locked-accounts.js';
import { sendAll } from '../database/query.js';
import { loadLedgerRows, stateAt, toStatements } from './charge.repository.js';
import { LedgerBatch } from './ledger-batch.js';
import { defaultLedgerOptions } from './ledger-options.js';

/** Below the 5 s after which whoever asked gives up. */
const patienceMs = 4_000;

/**
 * Writes down that the overdue charges of the locked accounts are void, oldest first and at most `max` of them; returns
 * how many. When those were all, the sum of the unexpired lots is the balance after it.
 */
export async function voidOverdueCharges(locked: LockedAccounts, max: number): Promise<number> {
  const rows = await loadLedgerRows(locked.query, {
    accountIds: [...locked.accountIds],
    chargeIds: [],
    keyIds: [],
    overdueMax: max,
  });
  const batch = new LedgerBatch(stateAt(locked, rows), 0);
  const voided = batch.voidOverdue();
  const statements = toStatements(locked, batch.writes());
  await Promise.all(sendAll(locked.query, statements));
  return voided;
}

/**
 * The account lock for work that looks at the balance: every overdue charge of the account is void by then. What one
 * transaction can't void is voided in others before. Throws `unavailable` when there is more of that than a caller waits for.
 */
export async function withOverdueVoided<Result>(
  dataSource: DataSource,
  accountId: string,
  work: (locked: LockedAccounts) => Promise<Result>,
  options: LockOptions = {},
): Promise<Result> {
  const { overdueMax } = defaultLedgerOptions;
  const until = performance.now() + patienceMs;
  while (performance.now() < until) {
    const voidThenWork = async (locked: LockedAccounts): Promise<{ result: Result } | undefined> => {
      const voided = await voidOverdueCharges(locked, overdueMax);
      return voided < overdueMax ? { result: await work(locked) } : undefined;
    };
    const done = await withLockedAccounts(dataSource, [accountId], voidThenWork, options);
    if (done) return done.result;
  }
  throw new ServiceError('unavailable', 'The account is being brought up to date; try again shortly.');
}
