import { accountOf, type LedgerCommand, type LedgerResult } from '../rules/ledger-state.js';
import { type LedgerOptions } from '../rules/ledger-options.js';
import { type LedgerTransactions } from './ledger-transactions.js';
import { MicroBatches } from './micro-batches.js';

/**
 * More than one lane, so that an account locked by another transaction, for up to `lock_timeout`, does not block all
 * the others. Not for throughput: on two cores bench/ledger measured no difference between one lane and two, and four
 * were not faster.
 */
const lanes = 2;
/** For accounts with a backlog of overdue charges, or locked by another transaction. */
const slowLanesMax = 2;
const batchSizeMax = 256;
/** Less than the 5 s after which the gateway gives up on a charge. */
const waitMaxMs = 4_000;

/**
 * Charges and settlements waiting for a transaction. Commands that arrive together share one, across accounts and within
 * an account. An account's commands always use the same lane, so that the lanes of a replica never wait for each other.
 */
export class LedgerQueue extends MicroBatches<LedgerCommand, LedgerResult> {}

export function createLedgerQueue(transactions: LedgerTransactions, options: LedgerOptions): LedgerQueue {
  return new LedgerQueue({
    lanes,
    slowLanesMax,
    sizeMax: batchSizeMax,
    waitMaxMs,
    laneOf: (command) => Number.parseInt(accountOf(command).slice(-6), 16),
    ownerOf: accountOf,
    canWait: ({ kind }) => kind === 'settle',
    maxBatchDelayMs: options.settlementBatchDelayMs,
    apply: (commands) => transactions.apply(commands),
  });
}
