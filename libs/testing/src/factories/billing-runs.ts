import { testSeed } from '../random/test-seed.js';

/** How many random histories a ledger test runs, and from which seed. */
export interface LedgerRuns {
  readonly runs: number;
  readonly seed: number;
}

/** A short run, unless `LEDGER_RUNS` says otherwise; `LEDGER_SEED` takes another seed than `TEST_SEED`. */
export function ledgerRuns(shortRun: number): LedgerRuns {
  const { LEDGER_RUNS: runs = shortRun, LEDGER_SEED: seed = testSeed() } = process.env;
  return { runs: Number(runs), seed: Number(seed) };
}
