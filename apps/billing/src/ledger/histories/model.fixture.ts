import { type ChargeReply, type SettlementResult } from '#contracts';
import { dayMs, minuteMs } from '../../durations.js';
import {
  accounts,
  type Answer,
  type Books,
  type Call,
  chargeState,
  type Command,
  entryName,
  lifetimeMs,
  lotState,
} from './commands.fixture.js';

interface Credit {
  readonly lotId: string;
  readonly purchasedAt: number;
  readonly expiresAt: number;
  /** The call or adjustment that has taken the credit, or the expiry that was recorded. */
  takenBy: string | null;
}

interface Charge {
  readonly call: Call;
  readonly reply: ChargeReply;
  readonly createdAt: number;
  state: 'pending' | 'posted' | 'voided' | 'refused';
  voidReason?: 'given_up' | 'timed_out';
  /** When its client left in the middle of the answer. */
  abandonedAt?: number;
  readonly repeatOf?: string;
}

/** How long a refusal is remembered. */
const refusalMs = minuteMs;
/** How long a paid call can be repeated for nothing. */
const repeatableMs = 15 * minuteMs;
/** How often. */
const repeatsMax = 5;

/**
 * The rules of the ledger in their simplest form, sharing no code with it: every credit is an object, and a charge takes
 * the oldest free ones. What time has decided is recorded with the next command to the account, as in the ledger, because
 * a clock that is put back undoes only what is not recorded.
 */
export class ModelLedger {
  private readonly each: ModelAccount[];

  constructor(
    public now: number,
    private readonly pendingTimeoutMs: number,
  ) {
    this.each = Array.from({ length: accounts }, () => new ModelAccount(pendingTimeoutMs));
  }

  /** Applies a command; `lotId` names the lot that it opens or refunds. */
  apply(command: Command, lotId = ''): Answer | undefined {
    const { now } = this;
    switch (command.kind) {
      case 'move_clock':
        this.now = now + command.ms;
        return undefined;
      case 'sweep':
      case 'audit':
        for (const account of this.each) account.sweep(now);
        return undefined;
      case 'charge':
        return this.account(command.account).charge(command.call, now);
      case 'post':
      case 'void':
      case 'abandon':
        return this.account(command.account).settle(command.call.name, command.kind, now);
      case 'purchase':
        this.account(command.account).purchase(lotId, command.credits, now + command.expiresInMs);
        return undefined;
      case 'adjust':
        return this.account(command.account).adjust(command, lotId, now);
      case 'refund':
        return this.account(command.account).refund(lotId, command.reference, now);
      case 'revoke_key':
        this.account(command.account).isKeyActive = false;
        return undefined;
    }
  }

  books(): Books[] {
    return this.each.map((account) => account.books(this.now));
  }

  /** The next instant after now at which time changes something for the account; at most a time-out away. */
  nextEdge(account: number): number {
    return Math.min(...this.account(account).edges(this.now), this.now + this.pendingTimeoutMs);
  }

  copy(): ModelLedger {
    const copy = new ModelLedger(this.now, this.pendingTimeoutMs);
    copy.each.splice(0, accounts, ...this.each.map((account) => account.copy()));
    return copy;
  }

  private account(number: number): ModelAccount {
    const account = this.each[number];
    if (!account) throw new Error(`no account ${number}`);
    return account;
  }
}

class ModelAccount {
  isKeyActive = true;
  private readonly credits: Credit[] = [];
  private readonly charges = new Map<string, Charge>();
  private readonly tombstones = new Set<string>();
  private readonly adjustments = new Map<string, Answer>();
  private readonly refunds = new Map<string, string>();
  private readonly entries = new Map<string, number>();

  constructor(private readonly pendingTimeoutMs: number) {}

  copy(): ModelAccount {
    return Object.assign(new ModelAccount(this.pendingTimeoutMs), structuredClone({ ...this }));
  }

  purchase(lotId: string, credits: number, expiresAt: number, entry = entryName(lotId, 'purchase')): void {
    const purchasedAt = expiresAt - lifetimeMs;
    for (let n = 0; n < credits; n++) this.credits.push({ lotId, purchasedAt, expiresAt, takenBy: null });
    this.count(entry, credits);
  }

  charge(call: Call, now: number): ChargeReply {
    this.voidOverdue(now);
    const known = this.charges.get(call.name);
    if (known) return known.state === 'voided' ? { outcome: 'voided' } : known.reply;
    if (this.tombstones.has(call.name)) return { outcome: 'voided' };
    const charge = this.decide(call, now);
    this.charges.set(call.name, charge);
    if (charge.state === 'pending') this.take(call.credits, { by: call.name, type: 'charge' }, now);
    return charge.reply;
  }

  settle(name: string, kind: 'post' | 'void' | 'abandon', now: number): SettlementResult['result'] {
    this.voidOverdue(now);
    const charge = this.charges.get(name);
    if (!charge && kind === 'void') this.tombstones.add(name);
    if (!charge) return this.tombstones.has(name) ? 'voided' : 'unknown_charge';
    if (charge.repeatOf !== undefined) return kind === 'void' ? 'voided' : 'posted';
    if (charge.state === 'pending') {
      if (kind === 'abandon') charge.abandonedAt = now;
      if (kind === 'post' || (kind === 'abandon' && !mayLeave(this.charges.values(), now))) {
        charge.state = 'posted';
      } else this.void(charge, 'given_up', now);
    }
    if (charge.state === 'posted') return kind === 'void' ? 'already_posted' : 'posted';
    return charge.voidReason === 'timed_out' && kind !== 'void' ? 'expired' : 'voided';
  }

  adjust({ credits, reference }: { credits: number; reference: string }, lotId: string, now: number): Answer {
    const known = this.adjustments.get(reference);
    const credits_remaining = this.balance(now) + credits;
    // Nothing of a refused one is recorded, not even what time has decided.
    if (!known && credits_remaining < 0) return 'conflict';
    this.voidOverdue(now);
    if (known) return known;
    if (credits > 0) {
      this.purchase(lotId, credits, now + lifetimeMs, entryName(lotId, 'adjustment', reference));
    } else {
      this.take(-credits, { by: reference, type: 'adjustment' }, now);
    }
    const answer: Answer = { outcome: 'adjusted', credits_remaining };
    this.adjustments.set(reference, answer);
    return answer;
  }

  refund(lotId: string, reference: string, now: number): Answer {
    const known = this.refunds.get(reference);
    const [first] = this.credits.filter((credit) => credit.lotId === lotId);
    if (known !== undefined && known !== lotId) return 'conflict';
    if (known === undefined) {
      if (!first) return 'not_found';
      // Nothing of a refused one is recorded, not even what time has decided.
      if ([...this.refunds.values()].includes(lotId) || now >= first.expiresAt) return 'conflict';
    }
    this.voidOverdue(now);
    if (known === undefined) {
      this.refunds.set(reference, lotId);
      this.takeRefunded(now, reference);
    }
    const lot = this.credits.filter((credit) => credit.lotId === lotId);
    const taken_back = lot.filter(({ takenBy }) => takenBy === refundOf(reference)).length;
    return { outcome: 'refunded', taken_back, not_recovered: lot.length - taken_back };
  }

  /** Records what time has decided, and forgets refusals. */
  sweep(now: number): void {
    this.voidOverdue(now);
    for (const reference of this.refunds.keys()) this.takeRefunded(now, reference);
    for (const credit of this.credits) if (credit.takenBy === null) this.expire(credit, now);
    for (const [name, { state, createdAt }] of this.charges) {
      if (state === 'refused' && now >= createdAt + refusalMs) this.charges.delete(name);
    }
  }

  books(now: number): Books {
    const lots = this.credits.map(({ lotId, expiresAt }) => {
      const left = this.credits.filter((credit) => credit.lotId === lotId && credit.takenBy === null);
      return [lotId, lotState(left.length, expiresAt)] as const;
    });
    const charges = [...this.charges].map(([name, charge]) => {
      const refusal = charge.state === 'refused' ? charge.reply.outcome : null;
      const isAbandoned = charge.abandonedAt !== undefined;
      return [name, chargeState({ ...charge, refusal, isAbandoned }, charge.createdAt)] as const;
    });
    return {
      balance: this.balance(now),
      lots: Object.fromEntries(lots),
      entries: Object.fromEntries([...this.entries].filter(([, credits]) => credits !== 0)),
      charges: Object.fromEntries(charges),
      tombstones: [...this.tombstones].sort(),
    };
  }

  edges(now: number): number[] {
    const all = [...this.charges.values()].flatMap(({ call, state, createdAt }) => [
      ...(state === 'pending' ? [createdAt + this.pendingTimeoutMs] : []),
      ...(call.repeatable ? [createdAt + repeatableMs] : []),
    ]);
    return [...all, ...this.credits.map(({ expiresAt }) => expiresAt)].filter((at) => at > now);
  }

  private decide(call: Call, now: number): Charge {
    const { credits } = call;
    const balance = this.free(now).length;
    const refused = (reply: ChargeReply): Charge => ({ call, reply, createdAt: now, state: 'refused' });
    if (!this.isKeyActive) return refused({ outcome: 'key_revoked' });
    const earlier = this.repeatableCalls(call).at(-1);
    if (earlier && now < earlier.createdAt + repeatableMs) {
      if (earlier.call.repeatable?.content !== call.repeatable?.content) {
        return refused({ outcome: 'idempotency_key_reused' });
      }
      if (earlier.state === 'pending') return refused({ outcome: 'earlier_call_pending' });
      const reply = {
        outcome: 'charged',
        credits_used: 0,
        credits_remaining: balance,
        is_repeat: true,
      } as const;
      return { call, reply, createdAt: now, state: 'posted', repeatOf: earlier.call.name };
    }
    if (balance < credits) {
      return refused({
        outcome: 'insufficient_credits',
        credits_needed: credits,
        credits_remaining: balance,
      });
    }
    const reply = {
      outcome: 'charged',
      credits_used: credits,
      credits_remaining: balance - credits,
    } as const;
    return { call, reply, createdAt: now, state: credits === 0 ? 'posted' : 'pending' };
  }

  /**
   * The calls that took credits, or hold some, under the `Idempotency-Key` of this one, and were not repeated often enough yet;
   * the youngest last.
   */
  private repeatableCalls({ repeatable }: Call): Charge[] {
    const all = [...this.charges.values()];
    return all
      .filter(({ call, state, repeatOf }) => {
        const isPaid = ['pending', 'posted'].includes(state) && call.credits > 0 && repeatOf === undefined;
        const repeats = all.filter((other) => other.repeatOf === call.name).length;
        const isSame = repeatable && call.repeatable?.idempotencyKey === repeatable.idempotencyKey;
        return isPaid && isSame && repeats < repeatsMax;
      })
      .sort((one, other) => one.createdAt - other.createdAt);
  }

  private balance(now: number): number {
    const overdue = this.credits.filter(
      ({ takenBy, expiresAt }) => takenBy !== null && now < expiresAt && this.isOverdue(takenBy, now),
    );
    return this.free(now).length + overdue.length;
  }

  private isOverdue(name: string, now: number): boolean {
    const charge = this.charges.get(name);
    return charge?.state === 'pending' && now >= charge.createdAt + this.pendingTimeoutMs;
  }

  private free(now: number): Credit[] {
    return this.credits
      .filter(({ takenBy, expiresAt }) => takenBy === null && now < expiresAt)
      .sort((a, b) => a.purchasedAt - b.purchasedAt || (a.lotId < b.lotId ? -1 : a.lotId > b.lotId ? 1 : 0));
  }

  private take(credits: number, { by, type }: { by: string; type: string }, now: number): void {
    for (const credit of this.free(now).slice(0, credits)) {
      credit.takenBy = by;
      this.count(entryName(credit.lotId, type, by), -1);
    }
  }

  /** What is free of a refunded lot. */
  private takeRefunded(now: number, reference: string): void {
    const by = refundOf(reference);
    for (const credit of this.free(now)) {
      if (credit.lotId !== this.refunds.get(reference)) continue;
      credit.takenBy = by;
      this.count(entryName(credit.lotId, 'adjustment', by), -1);
    }
  }

  private voidOverdue(now: number): void {
    for (const [name, charge] of this.charges) {
      if (this.isOverdue(name, now)) this.void(charge, 'timed_out', now);
    }
  }

  private void(charge: Charge, reason: 'given_up' | 'timed_out', now: number): void {
    Object.assign(charge, { state: 'voided', voidReason: reason });
    for (const credit of this.credits) {
      if (credit.takenBy !== charge.call.name) continue;
      credit.takenBy = null;
      this.count(entryName(credit.lotId, 'reversal', charge.call.name), 1);
      this.expire(credit, now);
    }
  }

  private expire(credit: Credit, now: number): void {
    if (now < credit.expiresAt) return;
    credit.takenBy = 'expiry';
    this.count(entryName(credit.lotId, 'expiry'), -1);
  }

  private count(entry: string, credits: number): void {
    this.entries.set(entry, (this.entries.get(entry) ?? 0) + credits);
  }
}

const dayOf = (at = Number.NaN): number => Math.floor(at / dayMs);

/** Whether an account with these charges may leave a call for nothing: five a day (UTC), and one more for each hundred paid calls of it. */
function mayLeave(charges: Iterable<Charge>, now: number): boolean {
  let [free, paid] = [0, 0];
  for (const { state, call, repeatOf, createdAt, abandonedAt } of charges) {
    if (state === 'voided' && dayOf(abandonedAt) === dayOf(now)) free += 1;
    const isPaid = state === 'posted' && call.credits > 0 && repeatOf === undefined;
    if (isPaid && dayOf(createdAt) === dayOf(now)) paid += 1;
  }
  return free < 5 + Math.floor(paid / 100);
}

/** Adjustments and refunds may have the same reference. */
function refundOf(reference: string): string {
  return `refund ${reference}`;
}
