/** Rules that need neither a server nor a clock of their own, each with unit tests beside it. */
const mutate = [
  'apps/billing/src/agreements/due-dates.ts',
  'apps/billing/src/ledger/rules/allocate.ts',
  'apps/billing/src/ledger/rules/ledger-batch.ts',
  'apps/billing/src/ledger/rules/ledger-state.ts',
  'apps/billing/src/ledger/rules/lot-order.ts',
  'apps/billing/src/ledger/rules/repeatable-charges.ts',
  'apps/billing/src/ledger/charges/micro-batches.ts',
  'apps/billing/src/notices/rules/changed-setting.ts',
  'apps/billing/src/notices/rules/judge-balance.ts',
  'apps/billing/src/notices/rules/retry-times.ts',
  'apps/billing/src/notices/webhooks/public-address.ts',
  'apps/billing/src/orders/provider/read-event.ts',
  'apps/billing/src/orders/provider/read-payment.ts',
  'apps/billing/src/orders/rules/apply-payment-state.ts',
  'apps/billing/src/orders/rules/credits-to-return.ts',
  'apps/billing/src/orders/rules/review.ts',
  'apps/billing/src/purchases/packs.ts',
  'apps/billing/src/sign-in/judge-code.ts',
  'apps/gateway/src/charging/open-charge.ts',
  'apps/gateway/src/charging/price-search.ts',
  'apps/gateway/src/http/requests/raw-query.ts',
  'apps/gateway/src/routes/search-creators/search-parameters.ts',
  'apps/gateway/src/routes/search-creators/search-query.ts',
  'apps/gateway/src/text/counted.ts',
  'apps/gateway/src/text/credits-warning.ts',
  'libs/platform/src/text/fold.ts',
];

// Random histories are the same ones in every run, so that a mutant does not live or die by luck; and few, as each mutant plays them.
process.env.LEDGER_SEED = '1';
process.env.LEDGER_RUNS = '200';

export default {
  mutate,
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  jest: { configFile: 'tools/mutants/unit-tests.config.mjs' },
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
