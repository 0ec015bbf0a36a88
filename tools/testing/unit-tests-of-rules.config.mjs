import { join } from 'node:path';
import jestConfig from '../../jest.config.mjs';

const unit = jestConfig.projects.find(({ displayName }) => displayName === 'unit');

/** The unit tests of the rules that Stryker breaks. */
export default {
  ...unit,
  // Stryker wraps the environment, and does not know what <rootDir> is.
  testEnvironment: join(import.meta.dirname, '../../test/setup/one-realm.mjs'),
  testRegex: '/(apps/(billing|gateway)|libs/(contracts|platform))/src/.*\\.spec\\.ts$',
  // They play tens of thousands of cases, for each mutant again.
  testPathIgnorePatterns: ['/every-interleaving\\.spec', '/order-histories\\.spec'],
  setupFiles: [...(unit?.setupFiles ?? []), '<rootDir>/tools/testing/end-on-failure.ts'],
  testTimeout: jestConfig.testTimeout,
};
