import { type Lot } from '../rules/allocate.js';
import { type NewEntry } from '../rules/new-entry.js';
import { type Answer, marks } from './histories.fixture.js';
import { type Repeatable } from './naive-ledger.fixture.js';
import { LedgerBatch } from '../rules/ledger-batch.js';
import { type StoredCharge } from '../rules/ledger-state.js';

const accountId = 'account';
const keyId = 'key';

/** A message about the named call; all its charges have the same credits. */
export type AccountMessage =
  | {
      readonly kind: 'charge';
      readonly call: string;
      readonly credits: number;
      readonly repeatable?: Repeatable | undefined;
    }
  | { readonly kind: 'post' | 'void'; readonly call: string };

/**
 * One account whose batches are stored in maps instead of a database. Throws for what the schema refuses: a second
 * entry of the same kind, a lot below 0 or above its initial credits.
 */
export class MemoryAccount {
  readonly charges = new Map<string, StoredCharge>();
  readonly tombstones = new Map<string, string>();
  readonly entries: NewEntry[] = [];
  private readonly lots: Map<string, Lot>;
  private readonly once = new Set<string>();

  constructor(
    private readonly purchases: readonly Lot[],
    private readonly pendingTimeoutMs: number,
    private now: Date,
  ) {
    this.lots = new Map(purchases.map((lot) => [lot.id, lot]));
  }

  advance(ms: number): void {
    this.now = new Date(this.now.getTime() + ms);
  }

  /** Applies the messages in one batch. */
  apply(messages: readonly AccountMessage[]): Answer[] {
    return this.run((batch) => {
      batch.voidOverdue();
      return messages.map((message) => answerOf(batch, message));
    });
  }

  sweep(): void {
    this.run((batch) => batch.voidOverdue());
  }

  /** The credits in unexpired lots, plus those that overdue charges return to them. */
  balance(): number {
    const overdue = [...this.charges.values()]
      .filter(({ state, pendingUntil }) => state === 'pending' && pendingUntil <= this.now)
      .flatMap(({ fromLots }) => fromLots)
      .filter(({ lotId }) => this.unexpired().some(({ id }) => id === lotId));
    const held = this.unexpired().reduce((sum, lot) => sum + lot.remaining, 0);
    return overdue.reduce((sum, part) => sum + part.credits, held);
  }

  /** What is left in every lot, in the order given at construction. */
  remaining(): number[] {
    return [...this.lots.values()].map((lot) => lot.remaining);
  }

  private unexpired(): Lot[] {
    return [...this.lots.values()].filter((lot) => lot.expiresAt > this.now);
  }

  private run<Result>(work: (batch: LedgerBatch) => Result): Result {
    const batch = new LedgerBatch(
      {
        now: this.now,
        accountIds: new Set([accountId]),
        lots: new Map([[accountId, this.unexpired()]]),
        keys: new Map([[keyId, { accountId, active: true }]]),
        charges: this.charges,
        tombstones: this.tombstones,
      },
      this.pendingTimeoutMs,
    );
    const result = work(batch);
    this.write(batch);
    return result;
  }

  private write(batch: LedgerBatch): void {
    const { newCharges, settledCharges, entries, tombstones } = batch.writes();
    for (const charge of newCharges) {
      if (this.charges.has(charge.id)) throw new Error(`${charge.id} is inserted twice`);
      this.charges.set(charge.id, charge);
    }
    for (const charge of settledCharges) this.charges.set(charge.id, charge);
    for (const { chargeId } of tombstones) this.tombstones.set(chargeId, accountId);
    for (const entry of entries) this.append(entry);
    for (const { id, remaining } of this.purchases) {
      const left = this.lots.get(id)?.remaining ?? 0;
      if (left < 0 || left > remaining) throw new Error(`${id} is left with ${left} of ${remaining}`);
    }
  }

  private append(entry: NewEntry): void {
    const name = `${entry.type} of ${entry.chargeId} on ${entry.lotId}`;
    if (this.once.has(name)) throw new Error(`a second ${name}`);
    this.once.add(name);
    this.entries.push(entry);
    const lot = this.lots.get(entry.lotId);
    if (lot) this.lots.set(lot.id, { ...lot, remaining: lot.remaining + entry.credits });
  }
}

function answerOf(batch: LedgerBatch, message: AccountMessage): Answer {
  const { kind, call } = message;
  if (kind !== 'charge') {
    return batch.settle({
      charge_id: call,
      account_id: accountId,
      outcome: kind === 'post' ? 'posted' : 'voided',
    });
  }
  return batch.charge({
    charge_id: call,
    account_id: accountId,
    key_id: keyId,
    request_id: call,
    operation: 'search',
    credits: message.credits,
    ...(message.repeatable && marks(keyId, message.repeatable)),
  });
}
