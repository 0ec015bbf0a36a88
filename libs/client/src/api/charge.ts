/** What every answer that can cost credits says about them. */
export interface Charge {
  /** Credits taken for this call. */
  readonly credits_used: number;
  /** The balance after it. */
  readonly credits_remaining: number;
  /** A sentence, at 5 credits or fewer. */
  readonly warning?: string;
}
