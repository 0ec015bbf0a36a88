const useDecorators = { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false };

/** ESM-only packages that CommonJS code requires in tests; jest on Node 20 cannot require ESM, so SWC compiles them. */
const esmOnly = [
  '@nestjs',
  'content-disposition',
  'cookie',
  'jose',
  'oauth4webapi',
  'openid-client',
  'preact',
  'uuid',
];

/** Of the pages that the gateway renders, as tsconfig.json says. */
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
const compilePackage = [
  '@swc/jest',
  { swcrc: false, jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } } },
];

/**
 * @param {string} displayName
 * @param {string} testRegex
 */
const project = (displayName, testRegex, options = {}) => ({
  displayName,
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  testRegex,
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/libs/client/dist/', '<rootDir>/.local/'],
  transform: {
    '^.+\\.ts$': compileTypeScript(),
    '^.+\\.tsx$': compileTypeScript(true),
    'node_modules/.+\\.m?js$': compilePackage,
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:.*/)?(?:${esmOnly.join('|')})/)`],
  moduleNameMapper: {
    '^@app/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^@app/([^/]+)/([^/]+)$': '<rootDir>/libs/$1/src/$2.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  ...options,
});

/** Each of these projects has a file of its name in test/setup. */
const withSetUp = {
  globalSetup: '<rootDir>/test/setup/set-up.mjs',
  globalTeardown: '<rootDir>/test/setup/tear-down.mjs',
};

export default {
  maxWorkers: 2,
  workerIdleMemoryLimit: '700MB',
  testTimeout: 60_000,
  reporters: ['default', '<rootDir>/test/setup/no-test-ran.mjs'],
  projects: [
    project('unit', '\\.spec\\.ts$'),
    project('int', '\\.int-spec\\.ts$', withSetUp),
    project('e2e', '\\.e2e-spec\\.ts$', withSetUp),
    project('operations', '\\.ops-spec\\.ts$', withSetUp),
    project('browser', '\\.browser-spec\\.ts$', withSetUp),
    project('faults', '\\.fault-spec\\.ts$', withSetUp),
  ],
};
