import jestConfig from '../../jest.config.mjs';

/** The unit tests of the rules that Stryker breaks; those of their users, which know them only as a part of something, say little. */
const folders = [
  'apps/billing/src/(agreements|ledger|notices|orders|purchases|sign-in)',
  'apps/gateway/src/(charging|http|routes|text)',
  'libs/platform/src/text',
];

export default {
  ...jestConfig.projects.find(({ displayName }) => displayName === 'unit'),
  testRegex: `/(${folders.join('|')})/.*\\.spec\\.ts$`,
  // They play tens of thousands of cases, for each mutant again.
  testPathIgnorePatterns: ['/interleavings\\.spec', '/fifo-metamorphic\\.spec', '/order-histories\\.spec'],
  setupFiles: ['<rootDir>/tools/mutants/end-on-failure.ts'],
  testTimeout: jestConfig.testTimeout,
};
