import { dayMs } from '#contracts';

/** Calls that every account may abandon in a day without paying. */
export const freeEachDay = 5;
/** Paid calls in a day for each further call that may be abandoned. */
export const paidForOneMore = 100;

/** How many calls an account may abandon without paying on a day with this number of paid calls. */
export function abandonedAllowance(paid: number): number {
  return freeEachDay + Math.floor(paid / paidForOneMore);
}

/** A day (UTC) of an account. */
export interface AbandonedDay {
  readonly accountId: string;
  /** When it begins. */
  readonly day: Date;
  /** Calls that were abandoned in it, for nothing. */
  readonly free: number;
  /** Calls that were made in it, and paid: at least as many as are needed to decide, where there are as many. */
  readonly paid: number;
  /** Calls made before `countedUntil` that count; none that is made or paid later will. */
  readonly counted: number;
  readonly countedUntil: Date;
}

/** The fields of a charge that decide whether its abandonment is free. */
interface ChargedCall {
  readonly accountId: string;
  readonly createdAt: Date;
}

/** The abandoned calls of a batch, on the days as they were read. */
export class AbandonedCalls {
  private readonly days: Map<string, AbandonedDay>;
  private readonly changed = new Set<string>();

  constructor(days: ReadonlyMap<string, AbandonedDay>) {
    this.days = new Map(days);
  }

  /** A call that has taken credits is posted. */
  paid({ accountId, createdAt }: ChargedCall): void {
    const known = this.days.get(accountId);
    const ms = known ? createdAt.getTime() - known.day.getTime() : -1;
    if (known && ms >= 0 && ms < dayMs) this.days.set(accountId, { ...known, paid: known.paid + 1 });
  }

  /** Counts an abandoned call; whether it is free. */
  isFree({ accountId }: ChargedCall): boolean {
    const known = this.days.get(accountId);
    if (!known) throw new Error(`the abandoned calls of account ${accountId} were not read`);
    const isFree = known.free < abandonedAllowance(known.paid);
    if (isFree) this.days.set(accountId, { ...known, free: known.free + 1 });
    this.changed.add(accountId);
    return isFree;
  }

  /** The days on which calls were abandoned in this batch, free or not. */
  changes(): AbandonedDay[] {
    return [...this.days.values()].filter(({ accountId }) => this.changed.has(accountId));
  }
}
