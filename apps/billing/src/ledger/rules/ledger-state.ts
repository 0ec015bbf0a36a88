import { type ChargeState, type Operation } from '@app/contracts';
import { type Lot, type LotAllocation } from './allocate.js';

/** A charge as stored; `fromLots` is what a pending charge took and a void would return. */
export interface StoredCharge {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly requestId: string;
  readonly operation: Operation;
  readonly credits: number;
  readonly state: ChargeState;
  readonly refusal: 'insufficient_credits' | 'key_revoked' | null;
  readonly voidReason: 'given_up' | 'timed_out' | null;
  /** The balance when the outcome was decided; every repeated message gets it. */
  readonly creditsRemaining: number;
  readonly createdAt: Date;
  readonly pendingUntil: Date;
  readonly settledAt: Date | null;
  readonly fromLots: readonly LotAllocation[];
}

/** Whether it was not settled in time: from the instant of its time-out it counts as voided. */
export function isOverdue(charge: StoredCharge, at: Date): boolean {
  return charge.state === 'pending' && charge.pendingUntil <= at;
}

export interface KeyState {
  readonly accountId: string;
  /** Neither switched off nor deleted. */
  readonly active: boolean;
}

/** The state of the ledger for a batch of commands, read under the lock of its accounts. */
export interface LedgerState {
  readonly now: Date;
  /** The accounts that are locked. */
  readonly accountIds: ReadonlySet<string>;
  /** Unexpired lots by account. */
  readonly lots: ReadonlyMap<string, readonly Lot[]>;
  readonly keys: ReadonlyMap<string, KeyState>;
  /** Charges that the commands name and charges of the accounts that are overdue. */
  readonly charges: ReadonlyMap<string, StoredCharge>;
  /** Account of each tombstone among the charges that the commands name. */
  readonly tombstones: ReadonlyMap<string, string>;
}
