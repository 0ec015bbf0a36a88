/** One kind of work that the sweep does. What it does must be harmless to do twice and safe to be killed anywhere. */
export interface SweepStep {
  /** For the log. */
  readonly name: string;
  /** Does at most about `batchSize` of what is due, in transactions of well under 2 s; 0: nothing is left. */
  run(batchSize: number): Promise<number>;
}

/** Injection token of the steps (`SweepStep[]`), in the order in which they run. */
export const SWEEP_STEPS = Symbol('SWEEP_STEPS');
