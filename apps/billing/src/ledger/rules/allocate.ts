/** Oldest purchase first; lots of the same instant by id, in its lower-case text form. */
export function byPurchase(a: Pick<Lot, 'id' | 'purchasedAt'>, b: Pick<Lot, 'id' | 'purchasedAt'>): number {
  return a.purchasedAt.getTime() - b.purchasedAt.getTime() || (a.id < b.id ? -1 : 1);
}

/** FIFO order in SQL: `ORDER BY ${lotOrder('lots')}`. */
export function lotOrder(table: string): string {
  return `${table}.purchased_at, ${table}.id`;
}

/** A lot as allocation sees it. `remaining` credits can be spent at any instant before `expiresAt`. */
export interface Lot {
  readonly id: string;
  readonly purchasedAt: Date;
  readonly expiresAt: Date;
  readonly remaining: number;
}

/** Credits taken from one lot; a positive number. */
export interface LotAllocation {
  readonly lotId: string;
  readonly credits: number;
}

export type Allocation =
  | { readonly outcome: 'allocated'; readonly fromLots: LotAllocation[] }
  | { readonly outcome: 'insufficient'; readonly available: number };

/** The lifetime of a lot is half-open: at `expiresAt` it has expired. */
export function isExpired(lot: Pick<Lot, 'expiresAt'>, at: Date): boolean {
  return lot.expiresAt.getTime() <= at.getTime();
}

/** The balance: the credits in unexpired lots. */
export function availableCredits(lots: readonly Lot[], at: Date): number {
  return lots.reduce((sum, lot) => (isExpired(lot, at) ? sum : sum + lot.remaining), 0);
}

/**
 * Decides from which lots `cost` credits are taken: oldest first, never from an expired one, all or nothing. Lots may come
 * in any order and are not changed.
 */
export function allocate(lots: readonly Lot[], cost: number, at: Date): Allocation {
  const available = availableCredits(lots, at);
  if (available < cost) return { outcome: 'insufficient', available };

  const fromLots: LotAllocation[] = [];
  let missing = cost;
  for (const lot of [...lots].sort(byPurchase)) {
    if (missing === 0) break;
    if (lot.remaining === 0 || isExpired(lot, at)) continue;
    const credits = Math.min(lot.remaining, missing);
    fromLots.push({ lotId: lot.id, credits });
    missing -= credits;
  }
  return { outcome: 'allocated', fromLots };
}
