import { type ChargeReply, type SettlementResult } from '@app/contracts';

interface Credit {
  readonly lotId: string;
  readonly purchasedAt: number;
  readonly expiresAt: number;
  /** The charge that holds the credit. */
  takenBy: string | null;
}

/** A call with an `Idempotency-Key`; the same `content` is the same call. */
export interface Repeatable {
  readonly idempotencyKey: string;
  readonly content: string;
}

interface Charge {
  readonly reply: ChargeReply;
  /** Kept with what took credits alone. */
  readonly repeatable?: Repeatable | undefined;
  readonly createdAt: number;
  readonly pendingUntil: number;
  state: 'pending' | 'posted' | 'voided' | 'timed_out' | 'refused' | 'repeated';
}

const lifetimeMs = 30 * 24 * 60 * 60 * 1_000;
/** How long a refusal is remembered. */
const refusalMs = 60_000;
/** How long a paid call can be repeated for nothing. */
const repeatableMs = 900_000;

/**
 * The rules of one account's credits in their simplest form, sharing no code with the ledger: every credit is an
 * object, and a charge takes the oldest free ones. The oracle of the ledger's tests.
 */
export class NaiveLedger {
  private readonly credits: Credit[] = [];
  private readonly charges = new Map<string, Charge>();
  private readonly tombstones = new Set<string>();
  private keyActive = true;

  constructor(private readonly pendingTimeoutMs: number) {}

  purchase(lotId: string, credits: number, purchasedAt: number): void {
    const expiresAt = purchasedAt + lifetimeMs;
    for (let n = 0; n < credits; n++) this.credits.push({ lotId, purchasedAt, expiresAt, takenBy: null });
  }

  switchKeyOff(): void {
    this.keyActive = false;
  }

  charge(id: string, cost: number, now: number, repeatable?: Repeatable): ChargeReply {
    this.timeOut(now);
    const known = this.charges.get(id);
    if (known) return ['voided', 'timed_out'].includes(known.state) ? { outcome: 'voided' } : known.reply;
    if (this.tombstones.has(id)) return { outcome: 'voided' };

    const free = this.free(now);
    const charge = this.decide(cost, free.length, now, repeatable);
    this.charges.set(id, charge);
    if (charge.state === 'pending') for (const credit of free.slice(0, cost)) credit.takenBy = id;
    return charge.reply;
  }

  settle(id: string, outcome: 'posted' | 'voided', now: number): SettlementResult['result'] {
    this.timeOut(now);
    const charge = this.charges.get(id);
    if (!charge && outcome === 'voided') this.tombstones.add(id);
    if (!charge) return this.tombstones.has(id) ? 'voided' : 'unknown_charge';
    if (charge.state === 'repeated') return outcome;
    if (charge.state === 'pending') {
      charge.state = outcome;
      if (outcome === 'voided') this.giveBack(id);
    }
    if (charge.state === 'posted') return outcome === 'posted' ? 'posted' : 'already_posted';
    return charge.state === 'timed_out' && outcome === 'posted' ? 'expired' : 'voided';
  }

  /** Only refusals are forgotten. */
  sweep(now: number): void {
    for (const [id, { state, createdAt }] of this.charges) {
      if (state === 'refused' && now >= createdAt + refusalMs) this.charges.delete(id);
    }
  }

  balance(now: number): number {
    this.timeOut(now);
    return this.free(now).length;
  }

  /** What each unexpired lot has left, by id; without empty lots. */
  lots(now: number): Record<string, number> {
    this.timeOut(now);
    const left: Record<string, number> = {};
    for (const { lotId } of this.free(now)) left[lotId] = (left[lotId] ?? 0) + 1;
    return left;
  }

  /** The next instants at which time alone changes something. */
  edges(now: number): number[] {
    const timeOuts = [...this.charges.values()].map(
      ({ state, pendingUntil }) => state === 'pending' && pendingUntil,
    );
    const expiries = this.credits.map(({ expiresAt }) => expiresAt);
    const ends = [...this.charges.values()].map(
      ({ repeatable, createdAt }) => repeatable && createdAt + repeatableMs,
    );
    return [...new Set([...timeOuts, ...expiries, ...ends])].filter((at) => Number(at) > now).map(Number);
  }

  private decide(cost: number, balance: number, now: number, repeatable?: Repeatable): Charge {
    const times = { createdAt: now, pendingUntil: now + this.pendingTimeoutMs };
    const refused = (reply: ChargeReply): Charge => ({ state: 'refused', reply, ...times });
    if (!this.keyActive) return refused({ outcome: 'key_revoked' });
    const earlier = repeatable && this.paid(repeatable.idempotencyKey, now);
    if (earlier) {
      if (earlier.repeatable?.content !== repeatable.content) {
        return refused({ outcome: 'idempotency_key_reused' });
      }
      if (earlier.state === 'pending') return refused({ outcome: 'earlier_call_pending' });
      const reply = {
        outcome: 'charged',
        credits_used: 0,
        credits_remaining: balance,
        is_repeat: true,
      } as const;
      return { state: 'repeated', reply, ...times };
    }
    if (balance < cost) {
      return refused({ outcome: 'insufficient_credits', credits_needed: cost, credits_remaining: balance });
    }
    const reply = { outcome: 'charged', credits_used: cost, credits_remaining: balance - cost } as const;
    if (cost === 0) return { state: 'posted', reply, ...times };
    return { state: 'pending', reply, repeatable, ...times };
  }

  /** The call that was paid, or is about to be, under this `Idempotency-Key`. */
  private paid(idempotencyKey: string, now: number): Charge | undefined {
    return [...this.charges.values()].find(
      ({ repeatable, state, createdAt }) =>
        repeatable?.idempotencyKey === idempotencyKey &&
        ['pending', 'posted'].includes(state) &&
        now < createdAt + repeatableMs,
    );
  }

  private free(now: number): Credit[] {
    return this.credits
      .filter(({ takenBy, expiresAt }) => takenBy === null && now < expiresAt)
      .sort((a, b) => a.purchasedAt - b.purchasedAt || (a.lotId < b.lotId ? -1 : a.lotId > b.lotId ? 1 : 0));
  }

  private timeOut(now: number): void {
    for (const [id, charge] of this.charges) {
      if (charge.state !== 'pending' || now < charge.pendingUntil) continue;
      charge.state = 'timed_out';
      this.giveBack(id);
    }
  }

  private giveBack(chargeId: string): void {
    for (const credit of this.credits) if (credit.takenBy === chargeId) credit.takenBy = null;
  }
}
