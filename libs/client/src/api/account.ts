/** Credits that were bought or granted together. They live for 30 days; the oldest are spent first. */
export interface Lot {
  /** The pack that was bought, or `adjustment` for credits given as goodwill. */
  readonly pack: 'trial' | 'builder' | 'scale' | 'enterprise' | 'adjustment';
  readonly credits: number;
  readonly remaining: number;
  /** ISO 8601, UTC. */
  readonly purchased_at: string;
  /** ISO 8601, UTC. At this instant they are gone. */
  readonly expires_at: string;
}

/** The answer to `GET /balance`. */
export interface BalanceBody {
  readonly credits_remaining: number;
  /** In the order in which they are spent. */
  readonly lots: readonly Lot[];
}

export type Operation = 'search' | 'profile';

/** Answered calls of one day, key and operation. */
export interface UsageRow {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string;
  readonly key_id: string;
  readonly operation: Operation;
  readonly calls: number;
  readonly credits: number;
}

/** Days as `YYYY-MM-DD`, UTC, both inclusive, 366 at most. Default: the last 30. */
export interface UsageParameters {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The answer to `GET /usage`. */
export interface UsageBody {
  readonly from: string;
  readonly to: string;
  readonly usage: readonly UsageRow[];
}
