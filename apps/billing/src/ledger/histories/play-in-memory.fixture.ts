import { minuteMs, dayMs } from '../../durations.js';
import { planReturn } from '../../credits/plan-return.js';
import { allocate, isExpired, type Lot } from '../rules/allocate.js';
import { type AbandonedDay } from '../rules/abandoned-calls.js';
import { LedgerBatch } from '../rules/ledger-batch.js';
import { type StoredCharge } from '../rules/ledger-state.js';
import {
  accounts,
  type Answer,
  type Books,
  chargeRequest,
  chargeState,
  type Command,
  type Done,
  entryName,
  lifetimeMs,
  lotState,
  type Message,
  type PlayableLedger,
  settlement,
} from './commands.fixture.js';

interface StoredLot extends Lot {
  readonly accountId: string;
  readonly credits: number;
}

const names = Array.from({ length: accounts }, (_, number) => String(number));

/**
 * The rules of the ledger on maps instead of a database. Throws for what the schema refuses: a second entry of the same
 * kind, a lot below 0 or above its initial credits.
 */
export class MemoryLedger implements PlayableLedger {
  private now = new Date(0);
  private readonly lots = new Map<string, StoredLot>();
  private readonly charges = new Map<string, StoredCharge>();
  private readonly tombstones = new Map<string, string>();
  private readonly keys = new Map(names.map((accountId) => [accountId, { accountId, active: true }]));
  private readonly adjustments = new Map<string, Answer>();
  private readonly refunds = new Map<string, { readonly lotId: string; takenBack: number }>();
  /** Free ones, by account and day. */
  private readonly abandoned = new Map<string, number>();
  private readonly entriesOfCharges = new Set<string>();
  private readonly entries = new Map<string, Record<string, number>>(names.map((name) => [name, {}]));

  constructor(
    private readonly pendingTimeoutMs: number,
    /** Whether each message has a batch of its own, also when several come together. */
    private readonly isApart = false,
  ) {}

  setClock(at: number): void {
    this.now = new Date(at);
  }

  together(messages: readonly Message[]): Answer[] {
    if (this.isApart) return messages.flatMap((message) => this.inOneBatch([message]));
    return this.inOneBatch(messages);
  }

  apply(command: Command): Done {
    switch (command.kind) {
      case 'purchase':
        return this.purchase(String(command.account), command.credits, command.expiresInMs);
      case 'adjust':
        return this.adjust(String(command.account), command.credits, command.reference);
      case 'refund':
        return this.refund(String(command.account), command.lot, command.reference);
      case 'revoke_key':
        this.keys.set(String(command.account), { accountId: String(command.account), active: false });
        return {};
      case 'sweep':
      case 'audit':
        this.sweep();
        return {};
      case 'move_clock':
        this.setClock(this.now.getTime() + command.ms);
        return {};
      case 'charge':
      case 'post':
      case 'void':
      case 'abandon':
        return { answer: this.inOneBatch([command])[0] };
    }
  }

  books(): Books[] {
    return names.map((accountId) => ({
      balance: this.balance(accountId),
      lots: Object.fromEntries(
        [...this.lots.values()]
          .filter((lot) => lot.accountId === accountId)
          .map(({ id, remaining, expiresAt }) => [id, lotState(remaining, expiresAt.getTime())]),
      ),
      entries: this.entries.get(accountId) ?? {},
      charges: Object.fromEntries(
        [...this.charges.values()]
          .filter((charge) => charge.accountId === accountId)
          .map((charge) => {
            const repeatOf = charge.repeatOf === null ? null : nameOf(charge.repeatOf);
            return [nameOf(charge.id), chargeState({ ...charge, repeatOf }, charge.createdAt.getTime())];
          }),
      ),
      tombstones: [...this.tombstones]
        .filter(([, account]) => account === accountId)
        .map(([chargeId]) => nameOf(chargeId))
        .sort(),
    }));
  }

  private inOneBatch(messages: readonly Message[]): Answer[] {
    const concerned = new Set(messages.map(({ account }) => String(account)));
    return this.run(concerned, (batch) => {
      batch.voidOverdue();
      return messages.map(({ kind, account, call }) => {
        const ids = {
          accountId: String(account),
          keyId: String(account),
          chargeId: `${account} ${call.name}`,
        };
        return kind === 'charge'
          ? batch.charge(chargeRequest(call, ids))
          : batch.settle(settlement(kind, ids.accountId, ids.chargeId));
      });
    });
  }

  private purchase(accountId: string, credits: number, expiresInMs: number, of?: string): Done {
    // Lots of one instant are not in the order in which they were bought.
    const id = `lot ${String((this.lots.size * 7) % 100).padStart(2, '0')} ${this.lots.size}`;
    const expiresAt = new Date(this.now.getTime() + expiresInMs);
    const purchasedAt = new Date(expiresAt.getTime() - lifetimeMs);
    this.lots.set(id, { id, accountId, purchasedAt, expiresAt, credits, remaining: 0 });
    this.write(accountId, { lotId: id, credits, name: entryName(id, of ? 'adjustment' : 'purchase', of) });
    return { lotId: id };
  }

  private adjust(accountId: string, credits: number, reference: string): Done {
    const known = this.adjustments.get(`${accountId} ${reference}`);
    // Rolled back, with what it voided.
    if (!known && this.balance(accountId) + credits < 0) return { answer: 'conflict' };
    this.run(new Set([accountId]), (batch) => batch.voidOverdue());
    if (known) return { answer: known };
    const credits_remaining = this.balance(accountId) + credits;
    const answer: Answer = { outcome: 'adjusted', credits_remaining };
    if (credits > 0) {
      this.adjustments.set(`${accountId} ${reference}`, answer);
      return { ...this.purchase(accountId, credits, lifetimeMs, reference), answer };
    }
    const allocation = allocate(this.lotsOf(accountId), -credits, this.now);
    if (allocation.outcome === 'insufficient') return { answer: 'conflict' };
    this.adjustments.set(`${accountId} ${reference}`, answer);
    for (const { lotId, credits } of allocation.fromLots) {
      this.write(accountId, { lotId, credits: -credits, name: entryName(lotId, 'adjustment', reference) });
    }
    return { answer };
  }

  private refund(accountId: string, number: number, reference: string): Done {
    const lot = [...this.lots.values()].filter((one) => one.accountId === accountId)[number];
    const lotId = lot?.id;
    const name = `${accountId} ${reference}`;
    const known = this.refunds.get(name);
    if (!known && !lot) return { answer: 'not_found' };
    const isRefunded = [...this.refunds.values()].some((refund) => refund.lotId === lotId);
    const isRefused = known ? known.lotId !== lotId : isRefunded || !lot || isExpired(lot, this.now);
    if (isRefused || !lot) return { answer: 'conflict', lotId };
    this.run(new Set([accountId]), (batch) => batch.voidOverdue());
    if (!known) {
      this.refunds.set(name, { lotId: lot.id, takenBack: 0 });
      this.takeRefunded(name);
    }
    const taken_back = this.refunds.get(name)?.takenBack ?? 0;
    const answer: Answer = { outcome: 'refunded', taken_back, not_recovered: lot.credits - taken_back };
    return { answer, lotId };
  }

  private takeRefunded(name: string): void {
    const refund = this.refunds.get(name);
    const lot = refund && this.lots.get(refund.lotId);
    if (!lot) return;
    const { id, accountId, remaining } = lot;
    const owed = { owed: lot.credits, creditsTakenBack: refund.takenBack };
    const plan = planReturn(owed, { remaining, isExpired: isExpired(lot, this.now) });
    if (plan.change === 0) return;
    refund.takenBack = plan.creditsTakenBack;
    const of = `refund ${name.slice(accountId.length + 1)}`;
    this.write(accountId, { lotId: id, credits: plan.change, name: entryName(id, 'adjustment', of) });
  }

  private sweep(): void {
    this.run(new Set(names), (batch) => batch.voidOverdue());
    for (const name of this.refunds.keys()) this.takeRefunded(name);
    for (const { id, state, createdAt } of this.charges.values()) {
      if (state === 'refused' && this.now.getTime() >= createdAt.getTime() + minuteMs) {
        this.charges.delete(id);
      }
    }
    for (const { id, accountId, expiresAt, remaining } of this.lots.values()) {
      if (expiresAt > this.now || remaining === 0) continue;
      this.write(accountId, { lotId: id, credits: -remaining, name: entryName(id, 'expiry') });
    }
  }

  /** The credits in unexpired lots, plus those that overdue charges return to them. */
  private balance(accountId: string): number {
    const unexpired = this.lotsOf(accountId);
    const overdue = [...this.charges.values()]
      .filter((charge) => charge.accountId === accountId && charge.state === 'pending')
      .filter(({ pendingUntil }) => pendingUntil <= this.now)
      .flatMap(({ fromLots }) => fromLots ?? [])
      .filter(({ lotId }) => unexpired.some(({ id }) => id === lotId));
    const held = unexpired.reduce((sum, { remaining }) => sum + remaining, 0);
    return overdue.reduce((sum, { credits }) => sum + credits, held);
  }

  private lotsOf(accountId: string): Lot[] {
    return [...this.lots.values()].filter((lot) => lot.accountId === accountId && lot.expiresAt > this.now);
  }

  private run<Result>(accountIds: ReadonlySet<string>, work: (batch: LedgerBatch) => Result): Result {
    const { now, keys, charges, tombstones } = this;
    const repeated = [...charges.values()].map(({ repeatOf }) => repeatOf);
    const counted = [...charges].map(([id, charge]) => {
      return [id, { ...charge, repeats: repeated.filter((name) => name === id).length }] as const;
    });
    const lots = new Map([...accountIds].map((accountId) => [accountId, this.lotsOf(accountId)]));
    const batch = new LedgerBatch(
      { now, accountIds, lots, keys, charges: new Map(counted), tombstones, abandoned: this.abandonedDays() },
      this.pendingTimeoutMs,
    );
    const result = work(batch);
    const writes = batch.writes();
    for (const charge of writes.newCharges) {
      if (charges.has(charge.id)) throw new Error(`${charge.id} is inserted twice`);
      charges.set(charge.id, charge);
    }
    for (const charge of writes.settledCharges) charges.set(charge.id, charge);
    for (const day of writes.abandoned) this.abandoned.set(`${day.accountId} ${day.day.getTime()}`, day.free);
    for (const { chargeId, accountId } of writes.tombstones) tombstones.set(chargeId, accountId);
    for (const { accountId, lotId, type, credits, chargeId = '' } of writes.entries) {
      const name = `${type} of ${chargeId} on ${lotId}`;
      if (this.entriesOfCharges.has(name)) throw new Error(`a second ${name}`);
      this.entriesOfCharges.add(name);
      this.write(accountId, { lotId, credits, name: entryName(lotId, type, nameOf(chargeId)) });
    }
    return result;
  }

  private abandonedDays(): Map<string, AbandonedDay> {
    const since = Math.floor(this.now.getTime() / dayMs) * dayMs;
    const day = new Date(since);
    return new Map(
      names.map((accountId) => {
        const paid = [...this.charges.values()].filter(
          ({ state, credits, createdAt, ...charge }) =>
            charge.accountId === accountId &&
            state === 'posted' &&
            credits > 0 &&
            Math.floor(createdAt.getTime() / dayMs) * dayMs === since,
        ).length;
        const free = this.abandoned.get(`${accountId} ${since}`) ?? 0;
        return [accountId, { accountId, day, free, paid, counted: paid, countedUntil: day }];
      }),
    );
  }

  private write(accountId: string, entry: { lotId: string; credits: number; name: string }): void {
    const { lotId, credits, name } = entry;
    const entries = this.entries.get(accountId) ?? {};
    entries[name] = (entries[name] ?? 0) + credits;
    const lot = this.lots.get(lotId);
    if (!lot) throw new Error(`${name} has no lot`);
    const remaining = lot.remaining + credits;
    if (remaining < 0 || remaining > lot.credits) throw new Error(`${lotId} is left with ${remaining}`);
    this.lots.set(lotId, { ...lot, remaining });
  }
}

function nameOf(chargeId: string): string {
  return chargeId.slice(chargeId.indexOf(' ') + 1);
}
