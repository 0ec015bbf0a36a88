/** The fields that decide the order in which lots are spent. */
export interface LotPosition {
  readonly id: string;
  readonly purchasedAt: Date;
}

/** Oldest purchase first; lots of the same instant by id, in its lower-case text form. */
export function byPurchase(a: LotPosition, b: LotPosition): number {
  const elapsed = a.purchasedAt.getTime() - b.purchasedAt.getTime();
  if (elapsed !== 0) return elapsed;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/** The same order in SQL: `ORDER BY ${lotOrder('lots')}`. */
export function lotOrder(table: string): string {
  return `${table}.purchased_at, ${table}.id`;
}
