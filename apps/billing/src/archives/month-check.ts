import { type ArchivedCharge, type ArchivedEntry, comparePlaces } from './archived-entry.js';
import { type LotsByAccount } from './archive-records.js';
import { type Month } from './archive-files.js';

const problemsMax = 100;
/** A reversal follows its charge by the pending time-out and a sweep, at the most. */
const reversalWithinMs = 24 * 3_600_000;

/** What breaks a rule, and in which account. */
export interface MonthProblem {
  readonly accountId: string;
  readonly problem: string;
}

interface ChargeSeen extends ArchivedCharge {
  readonly at: number;
  taken: number;
  returned: number;
}

/**
 * The rules of the ledger on the entries of a month, one after the other in the order of its archive: no lot is ever below 0, each
 * balance follows from the one before, and the entries of each charge are what its state says. Keeps no more than the lots that are
 * not empty, and the charges of a moment.
 */
export class MonthCheck {
  /** At most 100, each naming its entry. */
  readonly problems: MonthProblem[] = [];
  entries = 0;
  private readonly carriedOn = new Map<string, ReadonlyMap<string, number>>();
  private readonly starts: number;
  private readonly ends: number;
  private accountId = '';
  private last: ArchivedEntry | undefined;
  private lots = new Map<string, number>();
  private balance = 0;
  /** Of one instant. */
  private charges = new Map<string, ChargeSeen>();
  /** Voided ones whose credits are not returned yet. */
  private taken = new Map<string, ChargeSeen>();

  constructor(
    month: Month,
    private readonly carried: LotsByAccount,
  ) {
    const start = new Date(`${month}-01T00:00:00Z`);
    this.starts = start.getTime();
    this.ends = start.setUTCMonth(start.getUTCMonth() + 1);
  }

  add(entry: ArchivedEntry): void {
    if (this.last?.accountId !== entry.accountId) this.beginAccount(entry.accountId);
    this.checkPlace(entry);
    if (entry.at.getTime() !== this.last?.at.getTime()) this.endInstant();
    this.entries += 1;
    this.last = entry;
    this.checkLot(entry);
    if (entry.charge) this.addToCharge(entry, entry.charge);
  }

  /** What the lots have at the end of the month. */
  end(): LotsByAccount {
    this.endAccount();
    const untouched = [...this.carried].filter(([accountId]) => !this.carriedOn.has(accountId));
    const touched = [...this.carriedOn].filter(([, lots]) => lots.size > 0);
    return new Map([...untouched, ...touched]);
  }

  private beginAccount(accountId: string): void {
    this.endAccount();
    this.accountId = accountId;
    this.lots = new Map(this.carried.get(accountId));
    this.balance = [...this.lots.values()].reduce((sum, credits) => sum + credits, 0);
  }

  private endAccount(): void {
    this.endInstant();
    for (const charge of this.taken.values()) {
      if (charge.at < this.ends - reversalWithinMs) {
        this.report(`charge ${charge.id} is voided, but not returned`);
      }
    }
    this.taken.clear();
    if (this.last) this.carriedOn.set(this.last.accountId, this.lots);
    this.last = undefined;
  }

  private checkPlace(entry: ArchivedEntry): void {
    if (this.last && comparePlaces(this.last, entry) >= 0) {
      this.report(`entry ${entry.id} is not in its order`);
    }
    const at = entry.at.getTime();
    if (!(at >= this.starts && at < this.ends)) this.report(`entry ${entry.id} is of another month`);
  }

  private checkLot({ id, lotId, credits, balanceAfter }: ArchivedEntry): void {
    const left = (this.lots.get(lotId) ?? 0) + credits;
    if (left < 0) this.report(`entry ${id} leaves lot ${lotId} with ${left} credits`);
    if (left === 0) this.lots.delete(lotId);
    else this.lots.set(lotId, left);
    this.balance += credits;
    if (balanceAfter !== this.balance) {
      this.report(`entry ${id} has the balance ${balanceAfter}, but the entries add up to ${this.balance}`);
      // Those after it are compared with it: one edit is one problem.
      this.balance = balanceAfter;
    }
  }

  private addToCharge({ at, type, credits }: ArchivedEntry, charge: ArchivedCharge): void {
    const known = this.charges.get(charge.id) ?? this.taken.get(charge.id);
    const seen = known ?? { ...charge, at: at.getTime(), taken: 0, returned: 0 };
    if (type === 'charge') seen.taken -= credits;
    if (type === 'reversal') seen.returned += credits;
    this.charges.set(charge.id, seen);
  }

  /** All entries that take the credits of a charge are of one instant, and so are all that return them. */
  private endInstant(): void {
    for (const charge of this.charges.values()) this.endOf(charge);
    this.charges.clear();
  }

  private endOf(charge: ChargeSeen): void {
    const { id, state, credits, taken, returned, at } = charge;
    this.taken.delete(id);
    if (state === 'voided' && taken === credits && returned === 0) {
      this.taken.set(id, charge);
      return;
    }
    const isReturned = returned === credits && (taken === credits || this.isFromBefore(at, taken));
    const isRight =
      state === 'voided' ? isReturned : state === 'posted' && taken === credits && returned === 0;
    if (!isRight) this.report(`charge ${id} of ${credits} is ${state}: ${taken} taken, ${returned} returned`);
  }

  private isFromBefore(at: number, taken: number): boolean {
    return taken === 0 && at < this.starts + reversalWithinMs;
  }

  private report(problem: string): void {
    if (this.problems.length < problemsMax) this.problems.push({ accountId: this.accountId, problem });
  }
}
