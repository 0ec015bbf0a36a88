import { resolve } from 'node:path';
import { runOrThrow, type Stack } from '@app/local-stack';
import { fetchProgram, isProgramWithinReach, type Runtime } from '@app/testing';
import {
  breaksOff,
  neverAnswers,
  stallsInTheMiddle,
  succeeds,
} from '../../libs/client/src/fixtures/behaviours.fixture.js';
import { ScriptedServer } from '../../libs/client/src/fixtures/scripted-server.fixture.js';
import { nodeVersionOfImages, readDockerfile } from '../../tools/deploy/dockerfile.js';
import { createFundedAccount } from '../support/accounts.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { clientPrograms, typedProgram } from './support/client-programs.js';
import { startOperatedStack } from './support/operated-stack.js';
import { PackedClient } from './support/packed-client.js';

// The compiler of TypeScript and runtimes of JavaScript are started.
jest.setTimeout(60_000);

const catalog = new SuiteCatalog();
const records = ['one', 'two', 'three'].map((name) => catalog.record(name));
const handle = records[0]?.platforms[0]?.handle ?? '';
let client: PackedClient;
let stack: Stack;
let scripted: ScriptedServer;

beforeAll(async () => {
  client = await PackedClient.install();
  scripted = await ScriptedServer.start();
  stack = await startOperatedStack();
  await catalog.importVisible(records);
}, 240_000);
afterAll(async () => {
  client.remove();
  await Promise.all([stack.stop(), scripted.stop()]);
});

it('the package holds what its users need, and nothing else', () => {
  const [compiled, others] = [true, false].map((isCompiled) =>
    client.files.filter((file) => file.startsWith('dist/') === isCompiled),
  );
  expect(others?.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
  for (const format of ['esm', 'cjs']) {
    expect(compiled).toContain(`dist/${format}/package.json`);
    expect(compiled).toContain(`dist/${format}/index.js`);
    expect(compiled).toContain(`dist/${format}/index.d.ts`);
  }
  expect(compiled?.filter((file) => /spec|fixture/.test(file))).toEqual([]);
});

const everyRuntime: readonly (readonly [Runtime, string])[] = [
  ['node', '20.0.0'],
  ['node', process.versions.node],
  ['node', '22.16.0'],
  ['node', nodeVersionOfImages(readDockerfile())],
  ['bun', '1.4.5'],
  ['deno', '2.9.6'],
];
/** `npm run test:long` tries all; the oldest Node.js lacks the most. */
const runtimes = process.env.CLIENT_RUNTIMES === 'all' ? everyRuntime : everyRuntime.slice(0, 2);
for (const [runtime, version] of runtimes) {
  // Where there is no network, only the Node.js of this run can be had; the project's checks need all.
  const isHere = Boolean(process.env.CI) || isProgramWithinReach(runtime, version);
  (isHere ? describe : describe.skip)(`${runtime} ${version}`, () => runsPrograms(runtime, version));
}

function runsPrograms(runtime: Runtime, version: string): void {
  let program: string;
  beforeAll(async () => {
    program = await fetchProgram(runtime, version);
  }, 240_000);

  it.each(Object.entries(clientPrograms))(
    'runs the client in %s',
    async (name, text) => {
      const account = await createFundedAccount({ credits: 100 });
      scripted.plays(breaksOff, stallsInTheMiddle, succeeds, neverAnswers);
      const parameters = [...(runtime === 'deno' ? ['run', '--allow-all'] : []), client.write(name, text)];
      const output = await runOrThrow(program, parameters, {
        cwd: client.directory,
        env: {
          ...process.env,
          API_KEY: account.key,
          BASE_URL: stack.publicUrl,
          SCRIPTED_URL: scripted.url,
          COUNTRY: catalog.country,
          HANDLE: handle,
        },
      });
      const [seen = '', ...shown] = output.split('\n');
      expect(JSON.parse(seen)).toEqual(whatProgramsSee);
      expect(shown.join('\n')).toContain('NotFoundError');
      expect(output).not.toContain(account.key);
      expect(output).not.toMatch(/warning/i);
    },
    120_000,
  );
}

const whatProgramsSee = {
  slugs: records.map(({ slug }) => slug).sort(),
  profile: [expect.any(String), 1],
  again: [true, 0],
  isBalanceSame: true,
  usage: [],
  call: ['profile', 1, 'posted'],
  creatorsInCountry: records.length,
  found: [records[0]?.slug, null, 'has a problem'],
  errors: [
    ['NotFoundError', 404, true],
    ['UnauthorizedError', 401, true],
    ['InvalidRequestError', 400, true],
  ],
  details: ['limit'],
  afterFailures: { used: 0, remaining: 41 },
  aborted: 'enough',
};

describe('a strict TypeScript project that checks its libraries too', () => {
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
  const common = [...strict, '--noEmit', '--skipLibCheck', 'false', '--target', 'es2022'];
  const node = ['--lib', 'es2022', '--types', 'node', '--typeRoots', resolve('node_modules/@types')];
  const withoutNode = ['--lib', 'es2022,dom', '--typeRoots', 'none'];

  it.each<[string, string, string[]]>([
    ['ESM on Node.js', 'typed.mts', ['--module', 'node16', ...node]],
    ['ESM on Node.js, by its newest rules', 'typed.mts', ['--module', 'nodenext', ...node]],
    ['CommonJS on Node.js', 'typed.cts', ['--module', 'node16', ...node]],
    ['a bundler', 'typed.ts', ['--module', 'esnext', '--moduleResolution', 'bundler', ...withoutNode]],
  ])(
    'finds the types: %s',
    async (_what, name, options) => {
      const file = client.write(name, typedProgram);
      await runOrThrow(process.execPath, [compiler, ...common, ...options, file], { cwd: client.directory });
    },
    120_000,
  );
});
