import { availableParallelism } from 'node:os';

const useDecorators = { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false };

/** JSX of the pages that the website renders, as in tsconfig.json. */
const useJsx = { react: { runtime: 'automatic', importSource: 'preact' } };

const compileTypeScript = (tsx = false) => [
  '@swc/jest',
  {
    swcrc: false,
    sourceMaps: 'inline',
    jsc: {
      target: 'es2022',
      keepClassNames: true,
      parser: { syntax: 'typescript', decorators: true, tsx },
      transform: { ...useDecorators, ...(tsx ? useJsx : {}) },
    },
  },
];

/**
 * @param {string} displayName
 * @param {string} testRegex
 */
const project = (displayName, testRegex, options = {}) => ({
  displayName,
  rootDir: import.meta.dirname,
  testEnvironment: '<rootDir>/test/setup/one-realm.mjs',
  runtime: '<rootDir>/test/setup/shared-packages.mjs',
  testRegex,
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/libs/client/dist/', '<rootDir>/.local/'],
  transform: {
    '^.+\\.ts$': compileTypeScript(),
    '^.+\\.tsx$': compileTypeScript(true),
  },
  moduleNameMapper: {
    '^#dev$': '<rootDir>/tools/dev/index.ts',
    '^#([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^#([^/]+)/([^/]+)$': '<rootDir>/libs/$1/src/$2.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  setupFiles: ['<rootDir>/test/setup/seed.ts'],
  setupFilesAfterEnv: ['<rootDir>/test/setup/time-limits.ts'],
  ...options,
});

/** Each of these projects has a file of its name in test/setup. */
const withSetUp = {
  globalSetup: '<rootDir>/test/setup/set-up.mjs',
  globalTeardown: '<rootDir>/test/setup/tear-down.mjs',
};

export default {
  maxWorkers: availableParallelism(),
  workerIdleMemoryLimit: '700MB',
  // A test that needs longer says so, with the reason, in its file.
  testTimeout: 10_000,
  projects: [
    project('unit', '\\.spec\\.ts$'),
    project('int', '\\.int-spec\\.ts$', withSetUp),
    project('e2e', '\\.e2e-spec\\.ts$', withSetUp),
    project('operations', '\\.ops-spec\\.ts$', withSetUp),
    project('browser', '\\.browser-spec\\.ts$', withSetUp),
    project('faults', '\\.fault-spec\\.ts$', withSetUp),
    project('long', '\\.long-spec\\.ts$', withSetUp),
  ],
};
