/** How many random histories a ledger test runs, and from which seed. */
export interface LedgerRuns {
  readonly runs: number;
  readonly seed: number;
}

/** A short run from a new seed, unless `LEDGER_RUNS` and `LEDGER_SEED` say otherwise. */
export function ledgerRuns(shortRun: number): LedgerRuns {
  const { LEDGER_RUNS: runs = shortRun, LEDGER_SEED: seed = Date.now() % 1_000_000_000 } = process.env;
  return { runs: Number(runs), seed: Number(seed) };
}
