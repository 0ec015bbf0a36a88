import { ledgerRuns } from '@app/testing';
import fc from 'fast-check';
import { type Lot } from './allocate.js';
import {
  histories,
  messageOf,
  pendingTimeoutMs,
  playHistory,
  Tally,
  type Answer,
  type Command,
  type PlayableLedger,
} from '../histories/histories.fixture.js';
import { LedgerBatch } from './ledger-batch.js';
import { type KeyState, type StoredCharge } from './ledger-state.js';

const lifetimeMs = 30 * 24 * 60 * 60 * 1_000;

/** The ledger's rules on top of maps instead of a database; keeps the database's own rules by throwing. */
class MemoryLedger implements PlayableLedger {
  private now = new Date(0);
  private readonly lotsById = new Map<string, Lot & { readonly accountId: string }>();
  private readonly charges = new Map<string, StoredCharge>();
  private readonly tombstones = new Map<string, string>();
  private readonly keys = new Map<string, KeyState>();
  private readonly entries = new Set<string>();
  private lotNumber = 0;

  constructor() {
    for (const account of ['0', '1']) this.keys.set(`key ${account}`, { accountId: account, active: true });
  }

  setClock(at: number): void {
    this.now = new Date(at);
  }

  purchase(account: number, credits: number, purchasedAt: number): string {
    const id = `lot ${String(this.lotNumber++).padStart(4, '0')}`;
    this.lotsById.set(id, {
      id,
      accountId: String(account),
      purchasedAt: new Date(purchasedAt),
      expiresAt: new Date(purchasedAt + lifetimeMs),
      remaining: credits,
    });
    return id;
  }

  switchKeyOff(account: number): void {
    this.keys.set(`key ${account}`, { accountId: String(account), active: false });
  }

  sweep(): void {
    this.run((batch) => batch.voidOverdue());
    for (const { id, state, createdAt } of this.charges.values()) {
      if (state === 'refused' && this.now.getTime() >= createdAt.getTime() + 60_000) this.charges.delete(id);
    }
    for (const lot of this.lotsById.values()) {
      if (lot.expiresAt <= this.now) this.lotsById.set(lot.id, { ...lot, remaining: 0 });
    }
  }

  apply(commands: Command[]): Answer[] {
    return this.run((batch) => {
      batch.voidOverdue();
      return commands.map((command) => {
        const accountId = String(command.account);
        const message = messageOf(command, {
          accountId,
          keyId: `key ${accountId}`,
          chargeId: `${accountId} ${command.call}`,
        });
        return 'charge' in message ? batch.charge(message.charge) : batch.settle(message.settlement);
      });
    });
  }

  balance(account: number): number {
    const held = this.lotsOf(account).reduce((sum, lot) => sum + lot.remaining, 0);
    const overdue = [...this.charges.values()]
      .filter(({ accountId, state }) => accountId === String(account) && state === 'pending')
      .filter(({ pendingUntil }) => pendingUntil <= this.now)
      .flatMap(({ fromLots }) => fromLots)
      .filter(({ lotId }) => (this.lotsById.get(lotId)?.expiresAt ?? 0) > this.now);
    return overdue.reduce((sum, part) => sum + part.credits, held);
  }

  lots(account: number): Record<string, number> {
    const left = this.lotsOf(account).filter(({ remaining }) => remaining > 0);
    return Object.fromEntries(left.map(({ id, remaining }) => [id, remaining]));
  }

  private lotsOf(account: number): Lot[] {
    return [...this.lotsById.values()].filter(
      (lot) => lot.accountId === String(account) && lot.expiresAt > this.now,
    );
  }

  private run<Result>(work: (batch: LedgerBatch) => Result): Result {
    const state = {
      now: this.now,
      accountIds: new Set(['0', '1']),
      lots: new Map([0, 1].map((account) => [String(account), this.lotsOf(account)])),
      keys: this.keys,
      charges: this.charges,
      tombstones: this.tombstones,
    };
    const batch = new LedgerBatch(state, pendingTimeoutMs);
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
    for (const { chargeId, accountId } of tombstones) this.tombstones.set(chargeId, accountId);
    for (const { chargeId, lotId, type, credits } of entries) {
      const once = `${chargeId} ${lotId} ${type}`;
      if (this.entries.has(once)) throw new Error(`a second ${once}`);
      this.entries.add(once);
      const lot = this.lotsById.get(lotId);
      if (lot) this.lotsById.set(lotId, { ...lot, remaining: lot.remaining + credits });
    }
    for (const lot of this.lotsById.values()) if (lot.remaining < 0) throw new Error(`${lot.id} is negative`);
  }
}

describe('the rules of charges and settlements', () => {
  it('agree with a naive model on random histories, at every instant', async () => {
    const { runs, seed } = ledgerRuns(400);
    const tally = new Tally();
    const property = fc.asyncProperty(histories(40), async (history) => {
      await playHistory(new MemoryLedger(), history, Date.UTC(2025, 0, 1), tally);
    });
    await fc.assert(property, { numRuns: runs, seed });
    process.stdout.write(`ledger rules: ${runs} histories; ${tally.toString()}; LEDGER_SEED=${seed}\n`);
  }, 3_600_000);
});
