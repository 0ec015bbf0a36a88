/** Rules that need neither a server nor a clock of their own, each with unit tests beside it. */
const rules = [
  'allocate',
  'apply-payment-state',
  'counted',
  'credits-to-return',
  'fold',
  'ledger-batch',
  'ledger-state',
  'micro-batches',
  'notice-rules',
  'packs',
  'plan-return',
  'price-search',
  'public-address',
  'raw-query',
  'read-event',
  'read-payment',
  'repeatable-charges',
  'review',
  'sign-in-codes',
];

// Random histories are the same ones in every run, so that a mutant does not live or die by luck; and few, as each mutant plays them.
process.env.LEDGER_SEED = '1';
process.env.LEDGER_RUNS = '200';

export default {
  mutate: rules.map((name) => `{apps,libs}/*/src/**/${name}.ts`),
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  jest: { configFile: 'tools/testing/unit-tests-of-rules.config.mjs' },
  coverageAnalysis: 'perTest',
  // What runs only while a module is loaded would need every test for each mutant.
  ignoreStatic: true,
  // A text is one of a closed union, which the compiler checks, or a sentence for people.
  mutator: { excludedMutations: ['StringLiteral'] },
  ignorePatterns: ['/.local'],
  concurrency: 2,
  tempDirName: '.local/stryker',
  reporters: ['clear-text', 'json', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false },
  jsonReporter: { fileName: '.local/mutants/rules.json' },
  thresholds: { break: 95 },
};
