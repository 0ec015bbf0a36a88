const useDecorators = { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false };

/** ESM-only packages that CommonJS code requires in tests; jest on Node 20 cannot require ESM, so SWC compiles them. */
const esmOnly = ['@nestjs', 'content-disposition', 'cookie', 'uuid'];

const compileTypeScript = [
  '@swc/jest',
  {
    swcrc: false,
    sourceMaps: 'inline',
    jsc: {
      target: 'es2022',
      keepClassNames: true,
      parser: { syntax: 'typescript', decorators: true },
      transform: useDecorators,
    },
  },
];
const compilePackage = [
  '@swc/jest',
  { swcrc: false, jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } } },
];

const project = (displayName, testRegex, options = {}) => ({
  displayName,
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  testRegex,
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.local/'],
  transform: { '^.+\\.ts$': compileTypeScript, 'node_modules/.+\\.js$': compilePackage },
  transformIgnorePatterns: [`/node_modules/(?!(?:.*/)?(?:${esmOnly.join('|')})/)`],
  moduleNameMapper: {
    '^@app/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  ...options,
});

export default {
  maxWorkers: 2,
  workerIdleMemoryLimit: '700MB',
  testTimeout: 30_000,
  reporters: ['default', '<rootDir>/test/setup/no-test-ran.mjs'],
  projects: [
    project('unit', '\\.spec\\.ts$'),
    project('int', '\\.int-spec\\.ts$', {
      globalSetup: '<rootDir>/test/setup/int.mjs',
      globalTeardown: '<rootDir>/test/setup/teardown.mjs',
    }),
    project('e2e', '\\.e2e-spec\\.ts$', {
      globalSetup: '<rootDir>/test/setup/e2e.mjs',
      globalTeardown: '<rootDir>/test/setup/teardown.mjs',
    }),
    project('operations', '\\.ops-spec\\.ts$', { globalSetup: '<rootDir>/test/setup/own-stacks.mjs' }),
    project('faults', '\\.fault-spec\\.ts$', { globalSetup: '<rootDir>/test/setup/own-stacks.mjs' }),
  ],
};
