import { accountOf, type LedgerCommand, type LedgerResult } from '../rules/ledger-command.js';
import { type LedgerOptions } from '../rules/ledger-options.js';
import { type LedgerTransactions } from './ledger-transactions.js';
import { MicroBatches } from './micro-batches.js';

/**
 * More than one, so that an account that somebody else holds, for up to `lock_timeout`, does not hold up all the others. Not
 * for throughput: on two cores bench/ledger could not tell one lane from two, and four were not faster.
 */
const lanes = 2;
/** For accounts that are behind with their overdue charges, or that somebody else holds. */
const lanesAsideMax = 2;
const batchSizeMax = 256;
/** Below the 5 s after which the gateway gives a charge up. */
const waitMaxMs = 4_000;

/**
 * Charges and settlements that wait for a transaction. What arrives together is applied in one, across accounts and within one
 * account; an account's commands are always in the same lane, so that the lanes of a replica never wait for each other.
 */
export class LedgerQueue extends MicroBatches<LedgerCommand, LedgerResult> {}

export function createLedgerQueue(transactions: LedgerTransactions, options: LedgerOptions): LedgerQueue {
  return new LedgerQueue({
    lanes,
    lanesAsideMax,
    sizeMax: batchSizeMax,
    waitMaxMs,
    laneOf: (command) => Number.parseInt(accountOf(command).slice(-6), 16),
    ownerOf: accountOf,
    isPatient: ({ kind }) => kind === 'settle',
    patienceMs: options.settlementPatienceMs,
    apply: (commands) => transactions.apply(commands),
  });
}
