/** Injection token of `LedgerOptions`. */
export const LEDGER_OPTIONS = Symbol('LEDGER_OPTIONS');

/** How the ledger runs; from the configuration of the service. */
export interface LedgerOptions {
  /** Pending time-out: a charge not settled within it counts as voided. */
  readonly pendingTimeoutMs: number;
  /** Most overdue charges that one transaction voids: it locks its accounts for some ten milliseconds. */
  readonly overdueMax: number;
  /** Time between two sweeps. */
  readonly sweepPeriodMs: number;
  /** Longest wait of a settlement for a charge whose transaction it can share. */
  readonly settlementBatchDelayMs: number;
  /** Where archived months are; empty: there are none. */
  readonly archiveDirectory: string;
  /** Whole months before the present one that the archive job leaves in the database. */
  readonly onlineMonths: number;
}

export const defaultLedgerOptions: LedgerOptions = {
  pendingTimeoutMs: 30_000,
  overdueMax: 500,
  sweepPeriodMs: 10_000,
  settlementBatchDelayMs: 50,
  archiveDirectory: '',
  onlineMonths: 14,
};
