/** One kind of sweep work. It must be idempotent and safe to kill at any point. */
export interface SweepStep {
  /** For the log. */
  readonly name: string;
  /** Processes about `batchSize` due items at most, in transactions of well under 2 s; returns 0 when nothing is left. */
  run(batchSize: number): Promise<number>;
}

/** Injection token of the steps (`SweepStep[]`), in the order in which they run. */
export const SWEEP_STEPS = Symbol('SWEEP_STEPS');
