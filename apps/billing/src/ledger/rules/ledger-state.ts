import {
  type ChargeReply,
  type ChargeRequest,
  type ChargeState,
  type Operation,
  type Settlement,
  type SettlementResult,
} from '#contracts';
import { type AbandonedDay } from './abandoned-calls.js';
import { type Lot, type LotAllocation } from './allocate.js';

/** Why a charge took nothing; the outcomes of `ChargeReply` that are stored. */
export type Refusal = Exclude<ChargeReply['outcome'], 'charged' | 'voided'> | 'key_limit_reached';

/** The caller's `Idempotency-Key` and the call that it came with. */
export interface Idempotency {
  readonly keyHash: string;
  readonly fingerprint: string;
}

/** A charge as stored. */
export interface StoredCharge {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly requestId: string;
  readonly operation: Operation;
  readonly credits: number;
  /** The names of the filters of a search, joined by commas; `null` for a profile. */
  readonly filters: string | null;
  /** Creators that matched a search; `null` for a profile. */
  readonly total: number | null;
  readonly state: ChargeState;
  readonly refusal: Refusal | null;
  readonly voidReason: 'given_up' | 'timed_out' | null;
  /** Whether the client disconnected before the response was complete. Voided within the free allowance of the day, else posted. */
  readonly isAbandoned: boolean;
  /** The balance when the outcome was decided; every repeated message gets it. */
  readonly creditsRemaining: number;
  readonly createdAt: Date;
  readonly pendingUntil: Date;
  readonly settledAt: Date | null;
  /** By which repetitions are recognized; stored only with the charge that was paid. */
  readonly idempotency: Idempotency | null;
  /** The paid charge that this one repeats free of charge. */
  readonly repeatOf: string | null;
  /** How many charges repeat this one. */
  readonly repeats: number;
  /** Whether its key has a monthly limit, in which it counts while it is pending or posted. */
  readonly keyHasLimit: boolean;
  /** What a pending charge took and a void would return; `null`: it was not read, because no void was expected. */
  readonly fromLots: readonly LotAllocation[] | null;
}

/** Whether it was not settled in time: from the instant of its time-out it counts as voided. */
export function isOverdue(charge: StoredCharge, at: Date): boolean {
  return charge.state === 'pending' && charge.pendingUntil <= at;
}

/** Whether a row of `charges` is pending past its time-out, in SQL; served by `charges_pending_of_account`. */
export function overdueSql(charge: string, at: string): string {
  return `${charge}.state = 'pending' AND ${charge}.pending_until <= ${at}`;
}

/** In SQL, the state that a charge has at an instant, whether or not its time-out was recorded. */
export function stateSql(charge: string, at: string): string {
  return `CASE WHEN ${overdueSql(charge, at)} THEN 'voided' ELSE ${charge}.state END`;
}

export interface KeyState {
  readonly accountId: string;
  /** Whether the key is usable, as `activeKeySql` says. */
  readonly active: boolean;
  /** From this instant on it is refused; `null` and absent: never. */
  readonly expiresAt?: Date | null;
  /** Absent: the secrets of calls are not checked. */
  readonly secrets?: KeySecrets;
  /** `null` and absent: no monthly limit. */
  readonly budget?: KeyBudget | null;
}

/** What a key may spend in a calendar month (UTC), and has spent in the month that begins at `since`. */
export interface KeyBudget {
  readonly limit: number;
  readonly spent: number;
  readonly since: Date;
}

/** The hash of the present secret, and of the one before it, which works until `previousValidUntil`. */
export interface KeySecrets {
  readonly hash: string;
  readonly previousHash: string | null;
  readonly previousValidUntil: Date | null;
}

/** A usable key, in SQL of `api_keys` joined to `accounts`: neither switched off nor deleted, nor of a suspended account. */
export const activeKeySql = 'active AND deleted_at IS NULL AND suspended_at IS NULL';

/** Whether a call with this secret of the key is charged at this instant. */
export function isUsable({ active, expiresAt, secrets }: KeyState, secret: string, at: Date): boolean {
  if (!active || hasEnded(expiresAt, at)) return false;
  if (!secrets || secret === secrets.hash) return true;
  const { previousHash, previousValidUntil } = secrets;
  return secret === previousHash && !hasEnded(previousValidUntil, at);
}

function hasEnded(end: Date | null | undefined, at: Date): boolean {
  return end instanceof Date && end.getTime() <= at.getTime();
}

/** The state of the ledger for a batch of commands, read under the lock of its accounts. */
export interface LedgerState {
  readonly now: Date;
  /** The accounts that are locked. */
  readonly accountIds: ReadonlySet<string>;
  /** Unexpired lots by account. */
  readonly lots: ReadonlyMap<string, readonly Lot[]>;
  readonly keys: ReadonlyMap<string, KeyState>;
  /** Charges that the commands name or may repeat, and charges of the accounts that are overdue. */
  readonly charges: ReadonlyMap<string, StoredCharge>;
  /** Account of each tombstone among the charges that the commands name. */
  readonly tombstones: ReadonlyMap<string, string>;
  /** By account; of each of which a command abandons a call. */
  readonly abandoned: ReadonlyMap<string, AbandonedDay>;
}

/** One command to apply under the lock of one account. */
export type LedgerCommand =
  | { readonly kind: 'charge'; readonly request: ChargeRequest }
  | { readonly kind: 'settle'; readonly settlement: Settlement };

export type LedgerResult =
  | { readonly kind: 'charge'; readonly reply: ChargeReply }
  | { readonly kind: 'settle'; readonly result: SettlementResult };

export function accountOf(command: LedgerCommand): string {
  return command.kind === 'charge' ? command.request.account_id : command.settlement.account_id;
}

export function chargeIdOf(command: LedgerCommand): string {
  return command.kind === 'charge' ? command.request.charge_id : command.settlement.charge_id;
}
