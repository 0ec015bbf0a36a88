import {
  ServiceError,
  type ChargeReply,
  type ChargeRequest,
  type EntryType,
  type Settlement,
  type SettlementResult,
} from '#contracts';
import { type AbandonedDay, AbandonedCalls } from './abandoned-calls.js';
import { allocate, availableCredits, type Lot, type LotAllocation } from './allocate.js';
import { KeyBudgets, monthOf, type SpendingChange } from './key-budgets.js';
import { isOverdue, isUsable, type LedgerState, type Refusal, type StoredCharge } from './ledger-state.js';
import { idempotencyOf, RepeatableCharges } from './repeatable-charges.js';

/** A signed entry to be written: purchase +, charge -, reversal +, expiry -, adjustment +/-. */
export interface NewEntry {
  readonly accountId: string;
  readonly lotId: string;
  readonly type: EntryType;
  readonly credits: number;
  readonly chargeId?: string;
  readonly adjustmentId?: string;
}

interface NewTombstone {
  readonly chargeId: string;
  readonly accountId: string;
}

/** The rows a batch has to write. */
export interface LedgerWrites {
  readonly newCharges: StoredCharge[];
  readonly settledCharges: StoredCharge[];
  readonly entries: NewEntry[];
  readonly tombstones: readonly NewTombstone[];
  /** What keys with a monthly limit have spent. */
  readonly spending: readonly SpendingChange[];
  readonly abandoned: readonly AbandonedDay[];
}

/** The row of a new charge, pending or refused. */
interface Opening extends Pick<
  StoredCharge,
  'credits' | 'state' | 'refusal' | 'creditsRemaining' | 'idempotency' | 'repeatOf'
> {
  readonly fromLots: readonly LotAllocation[];
}

/**
 * The rules of charges and settlements, without any I/O: applies commands one by one to the state read under the lock
 * of their accounts and collects what has to be written. Every command sees the effects of the ones before it.
 */
export class LedgerBatch {
  private readonly lots: Map<string, Lot[]>;
  private readonly charges: Map<string, StoredCharge>;
  private readonly tombstones: Map<string, string>;
  private readonly repeatable = new RepeatableCharges();
  private readonly newChargeIds = new Set<string>();
  private readonly settledChargeIds = new Set<string>();
  private readonly newTombstones: NewTombstone[] = [];
  private readonly entries: NewEntry[] = [];
  private readonly budgets: KeyBudgets;
  private readonly abandoned: AbandonedCalls;

  constructor(
    private readonly state: LedgerState,
    private readonly pendingTimeoutMs: number,
  ) {
    this.lots = new Map([...state.lots].map(([accountId, lots]) => [accountId, [...lots]]));
    this.charges = new Map(state.charges);
    for (const charge of state.charges.values()) this.repeatable.keep(charge);
    this.tombstones = new Map(state.tombstones);
    this.budgets = new KeyBudgets(state.keys, state.now);
    this.abandoned = new AbandonedCalls(state.abandoned);
  }

  /** Voids at most `max` overdue charges, oldest first, before any command is applied; returns their number. */
  voidOverdue(max = Number.POSITIVE_INFINITY): number {
    const { now, accountIds } = this.state;
    const overdue = [...this.charges.values()]
      .filter((charge) => isOverdue(charge, now) && accountIds.has(charge.accountId))
      .sort((one, other) => one.pendingUntil.getTime() - other.pendingUntil.getTime())
      .slice(0, max);
    for (const charge of overdue) this.void(charge, 'timed_out');
    return overdue.length;
  }

  /**
   * Takes the credits, or repeats the stored outcome of this charge id. A refusal is an outcome and is stored too, so
   * that a repeated message always gets the same answer. A call that repeats a paid one costs nothing. Throws `conflict`
   * for an id that belongs to another charge.
   */
  charge(request: ChargeRequest): ChargeReply {
    const { charge_id: id, account_id: accountId, key_id: keyId } = request;
    const stored = this.charges.get(id);
    if (stored) return this.replyOf(sameCharge(stored, request), request);

    const tombstone = this.tombstones.get(id);
    if (tombstone !== undefined && tombstone !== accountId) throw chargeIdInUse();
    if (tombstone !== undefined) return { outcome: 'voided' };

    const key = this.state.keys.get(keyId);
    if (!this.state.accountIds.has(accountId) || key?.accountId !== accountId) {
      return { outcome: 'key_revoked' };
    }

    const opening = this.decide(request, isUsable(key, request.key_hash, this.state.now));
    return this.replyOf(this.open(request, opening), request);
  }

  /**
   * Posts or voids one charge; a repeated message gets the same answer. An abandoned one is voided as long as that is free on this
   * day, else posted, as is one for many profiles.
   */
  settle({ charge_id: id, account_id: accountId, outcome }: Settlement): SettlementResult['result'] {
    const charge = this.charges.get(id);
    if (charge && charge.accountId !== accountId) return 'unknown_charge';
    if (!charge) {
      return outcome === 'voided' ? this.recordTombstone(id, accountId) : this.postUnknown(id, accountId);
    }
    if (charge.state === 'pending') return this.end(charge, outcome);
    // A gateway that has lost the reply does not know that a repetition took nothing, and voids it.
    if (charge.repeatOf !== null) return outcome === 'voided' ? 'voided' : 'posted';
    if (charge.state === 'posted') return outcome === 'voided' ? 'already_posted' : 'posted';
    return outcome !== 'voided' && charge.voidReason === 'timed_out' ? 'expired' : 'voided';
  }

  writes(): LedgerWrites {
    const charges = [...this.charges.values()];
    return {
      newCharges: charges.filter(({ id }) => this.newChargeIds.has(id)),
      settledCharges: charges.filter(({ id }) => this.settledChargeIds.has(id) && !this.newChargeIds.has(id)),
      entries: this.entries,
      tombstones: this.newTombstones,
      spending: this.budgets.spending(),
      abandoned: this.abandoned.changes(),
    };
  }

  private decide(request: ChargeRequest, keyIsUsable: boolean): Opening {
    const { account_id: accountId, credits } = request;
    const { now } = this.state;
    const needed = creditsNeeded(request);
    const lots = this.lots.get(accountId) ?? [];
    const balance = availableCredits(lots, now);
    const posted: Opening = {
      credits,
      state: 'posted',
      refusal: null,
      creditsRemaining: balance,
      fromLots: [],
      idempotency: null,
      repeatOf: null,
    };
    const refused = (refusal: Refusal): Opening => ({ ...posted, state: 'refused', refusal });

    if (!keyIsUsable) return refused('key_revoked');
    const earlier = this.repeatable.find(request, now);
    if (earlier && !isRepetition(request, earlier)) return refused('idempotency_key_reused');
    if (earlier?.state === 'pending') return refused('earlier_call_pending');
    if (earlier) {
      this.countRepeat(earlier);
      return { ...posted, credits: 0, repeatOf: earlier.id };
    }
    if (needed === 0) return posted;

    const allocation = allocate(lots, needed, now);
    if (allocation.outcome === 'insufficient') return refused('insufficient_credits');
    if (!this.budgets.allows(request.key_id, needed)) return refused('key_limit_reached');
    if (credits === 0) return posted;
    return {
      ...posted,
      state: 'pending',
      creditsRemaining: balance - credits,
      fromLots: allocation.fromLots,
      idempotency: idempotencyOf(request),
    };
  }

  private open(request: ChargeRequest, opening: Opening): StoredCharge {
    const { now } = this.state;
    const charge: StoredCharge = {
      id: request.charge_id,
      accountId: request.account_id,
      keyId: request.key_id,
      requestId: request.request_id,
      operation: request.operation,
      filters: request.filters?.join(',') ?? null,
      total: request.total ?? null,
      voidReason: null,
      isAbandoned: false,
      createdAt: now,
      pendingUntil: new Date(now.getTime() + this.pendingTimeoutMs),
      settledAt: opening.state === 'pending' ? null : now,
      repeats: 0,
      keyHasLimit: this.budgets.hasLimit(request.key_id),
      ...opening,
    };
    this.charges.set(charge.id, charge);
    if (charge.state === 'pending') this.budgets.take(charge);
    this.repeatable.keep(charge);
    this.newChargeIds.add(charge.id);
    for (const part of opening.fromLots) {
      this.addToLot(charge.accountId, { lotId: part.lotId, credits: -part.credits });
      this.entries.push(entryOf(charge, part.lotId, 'charge', -part.credits));
    }
    return charge;
  }

  private end(pending: StoredCharge, outcome: Settlement['outcome']): 'posted' | 'voided' {
    const isAbandoned = outcome === 'abandoned';
    const charge = { ...pending, isAbandoned };
    // One that was left a byte before its end would give away up to 100 profiles.
    const mayBeFree = isAbandoned && charge.operation !== 'profiles';
    const isVoided = outcome === 'voided' || (mayBeFree && this.abandoned.isFree(charge));
    if (isVoided) this.void(charge, 'given_up');
    else this.post(charge);
    return isVoided ? 'voided' : 'posted';
  }

  private post(charge: StoredCharge): void {
    this.abandoned.paid(charge);
    this.change({ ...charge, state: 'posted', settledAt: this.state.now });
  }

  /** Counts a repetition of a paid charge, which is not written: the charge of the repetition names it. */
  private countRepeat(charge: StoredCharge): void {
    const repeated = { ...charge, repeats: charge.repeats + 1 };
    this.charges.set(charge.id, repeated);
    this.repeatable.keep(repeated);
  }

  private replyOf(charge: StoredCharge, request: ChargeRequest): ChargeReply {
    if (charge.state === 'voided') return { outcome: 'voided' };
    const { credits, creditsRemaining, refusal, repeatOf } = charge;
    const limit = this.budgets.limitOf(charge.keyId);
    const left = { credits_remaining: creditsRemaining, ...(limit && { key_limit: limit }) };
    const insufficient = {
      outcome: 'insufficient_credits',
      credits_needed: creditsNeeded(request),
      ...left,
    } as const;
    if (refusal === 'insufficient_credits') return insufficient;
    if (refusal === 'key_limit_reached') {
      return { ...insufficient, key_limit_resets_at: monthOf(charge.createdAt, 1).toISOString() };
    }
    if (refusal) return { outcome: refusal };
    return {
      outcome: 'charged',
      credits_used: credits,
      ...left,
      ...(repeatOf === null ? {} : { is_repeat: true }),
    };
  }

  /** Returns the credits to the lots they came from; credits returned to an expired lot expire at once. */
  private void(charge: StoredCharge, reason: 'given_up' | 'timed_out'): void {
    if (!charge.fromLots) throw new Error(`what charge ${charge.id} took was not read`);
    for (const part of charge.fromLots) {
      this.entries.push(entryOf(charge, part.lotId, 'reversal', part.credits));
      const returned = this.addToLot(charge.accountId, part);
      if (!returned) this.entries.push(entryOf(charge, part.lotId, 'expiry', -part.credits));
    }
    this.budgets.giveBack(charge);
    this.change({ ...charge, state: 'voided', voidReason: reason, settledAt: this.state.now });
  }

  private change(charge: StoredCharge): void {
    this.charges.set(charge.id, charge);
    this.repeatable.keep(charge);
    this.settledChargeIds.add(charge.id);
  }

  /** Returns false when the account has no such unexpired lot. */
  private addToLot(accountId: string, { lotId, credits }: LotAllocation): boolean {
    const lots = this.lots.get(accountId) ?? [];
    const index = lots.findIndex(({ id }) => id === lotId);
    const lot = lots[index];
    if (!lot) return false;
    lots[index] = { ...lot, remaining: lot.remaining + credits };
    return true;
  }

  /** A void that arrived before its charge: leaves a tombstone for the charge to find. */
  private recordTombstone(chargeId: string, accountId: string): SettlementResult['result'] {
    const tombstone = this.tombstones.get(chargeId);
    if (tombstone === accountId) return 'voided';
    if (tombstone !== undefined || !this.state.accountIds.has(accountId)) return 'unknown_charge';
    this.tombstones.set(chargeId, accountId);
    this.newTombstones.push({ chargeId, accountId });
    return 'voided';
  }

  private postUnknown(chargeId: string, accountId: string): SettlementResult['result'] {
    return this.tombstones.get(chargeId) === accountId ? 'voided' : 'unknown_charge';
  }
}

function entryOf(charge: StoredCharge, lotId: string, type: NewEntry['type'], credits: number): NewEntry {
  return { accountId: charge.accountId, lotId, type, credits, chargeId: charge.id };
}

function sameCharge(stored: StoredCharge, request: ChargeRequest): StoredCharge {
  const same =
    stored.accountId === request.account_id &&
    stored.keyId === request.key_id &&
    stored.operation === request.operation &&
    (stored.repeatOf !== null || stored.credits === request.credits);
  if (!same) throw chargeIdInUse();
  return stored;
}

/** Whether a request repeats the call of an earlier charge; another call under the same `Idempotency-Key` is refused. */
function isRepetition(request: ChargeRequest, earlier: StoredCharge): boolean {
  return earlier.idempotency?.fingerprint === request.fingerprint;
}

/** Reveals nothing about the other charge, which may belong to another account. */
function chargeIdInUse(): ServiceError {
  return new ServiceError('conflict', 'This charge id is already in use.');
}

/** The credits that the account must have: the price or, for a search without matches, the price with matches. */
function creditsNeeded({ credits, credits_if_matched }: ChargeRequest): number {
  return credits > 0 ? credits : (credits_if_matched ?? 0);
}
